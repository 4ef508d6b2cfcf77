package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Calls of Dubbo providers that have no provider agent. */
class DirectCallsTest extends AgentTest {
    private static final int POOL_EXHAUSTED = 100;
    private static final String ONE_WAY = "X-Dubbo-Oneway: true";

    /** A call that has arrived at a provider, whose answer is up to the test. */
    private record Arrived(DubboConnection connection, DubboFrame call) {
        void answer(int value) throws IOException {
            connection.answerInt(call.id(), value);
        }
    }

    private final BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();

    private Arrived next() throws InterruptedException {
        Arrived call = arrived.poll(10, TimeUnit.SECONDS);
        assertThat(call).as("a call at a provider").isNotNull();
        return call;
    }

    /** Its calls are left to the test. */
    private ScriptedProvider provider() throws IOException {
        return opened(new ScriptedProvider()).serve((connection, call) -> arrived.add(new Arrived(connection, call)));
    }

    private ScriptedProvider answering(int value) throws IOException {
        return opened(new ScriptedProvider()).serve((connection, call) -> connection.answerInt(call.id(), value));
    }

    private static String dubbo(ScriptedProvider provider) {
        return "dubbo://127.0.0.1:" + provider.port();
    }

    private void start(Map<String, String> settings, String... endpoints) throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        // Discovery would open another connection.
        all.putIfAbsent("dubbo.inquiry", "false");
        all.putIfAbsent("lb.slow-start", "0 s");
        startWithRegistry(all, "static:" + Arrays.stream(endpoints).collect(Collectors.joining(",")));
    }

    @Test
    void aCallGoesToTheProviderAndItsAnswerToTheClient() throws Exception {
        start(Map.of(), dubbo(provider()));
        HttpSocket client = client();

        client.send(Requests.form("hi", "X-Dubbo-Attachment-user: ann"));
        Arrived call = next();
        assertThat(call.call().path()).isEqualTo("a.B");
        assertThat(call.call().method()).isEqualTo("m");
        assertThat(call.call().body()).contains("02" + text("hi")).contains(text("user") + "03" + text("ann"));
        call.answer(42);
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("42");
    }

    /** A service whose class file the agent has. */
    interface Greeter {
        String greet(String name);

        int age(short years);
    }

    @Test
    void theFirstDescriptionOfAServiceWaitsUntilItsTypesAreFound() throws Exception {
        start(Map.of("dubbo.api.jars", "target/test-classes"), dubbo(provider()));
        HttpSocket client = client();

        client.send("GET /" + Greeter.class.getName() + " HTTP/1.1\r\nHost: mesh\r\n\r\n");
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).contains("greet");
    }

    private static String ageOf(String json, String... fields) {
        return Requests.json("/" + Greeter.class.getName() + "/age", json, fields);
    }

    @Test
    void theFirstCallsOfAServiceWaitUntilItsTypesAreFound() throws Exception {
        start(Map.of("dubbo.api.jars", "target/test-classes"), dubbo(provider()));
        HttpSocket client = client();

        client.send(ageOf("[70000]") + ageOf("[7]") + ageOf("[70000]"));
        client.answer().assertProblem(400, "BAD_ARGUMENT");
        Arrived call = next();
        assertThat(call.call().method()).isEqualTo("age");
        call.answer(1);
        assertThat(client.answer().text()).isEqualTo("1");
        client.answer().assertProblem(400, "BAD_ARGUMENT");
    }

    @Test
    void callsGoOnWithoutTypesThatAreNotFoundInTime() throws Exception {
        // What it is asked about its services arrives here too, and gets no answer.
        start(Map.of("dubbo.inquiry", "true", "dubbo.inquiry.timeout", "300 ms"), dubbo(provider()));
        HttpSocket client = client();

        client.send(ageOf("[7]"));
        Arrived asked = next();
        assertThat(asked.call().method()).isEqualTo("$echo");
        Arrived call = next();
        assertThat(call.call().body()).contains(text("age"));
        call.answer(1);
        assertThat(client.answer().text()).isEqualTo("1");
    }

    @Test
    void aCallWhoseDeadlinePassesWhileItsTypesAreLookedForSaysSo() throws Exception {
        start(Map.of("dubbo.inquiry", "true", "dubbo.inquiry.timeout", "2 s"), dubbo(provider()));
        HttpSocket client = client();

        client.send(ageOf("[7]", "X-Request-Timeout: 100"));
        HttpAnswer answer = client.answer();
        answer.assertProblem(504, "TIMEOUT");
        assertThat(answer.text())
                .contains("the types of service " + Greeter.class.getName() + " were still being looked for");
    }

    @Test
    void aOneWayCallThatWaitsForTypesIsSentThoughTheAgentStops() throws Exception {
        start(Map.of("dubbo.inquiry", "true", "dubbo.inquiry.timeout", "1 s"), dubbo(provider()));
        HttpSocket client = client();

        assertThat(client.call(ageOf("[7]", ONE_WAY)).status()).isEqualTo(202);
        Arrived arrived = next();
        ConsumerAgent agent = takeAgent();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> agent.stop(TimeUnit.SECONDS.toNanos(30)));
        while (arrived.call().method().equals("$echo")) {
            arrived = next();
        }
        assertThat(arrived.call().body()).contains(text("age"));
        assertThat(stopped).succeedsWithin(20, TimeUnit.SECONDS);
    }

    @Test
    void aDescriptionOfAServiceOfWhichNothingIsFoundIs404() throws Exception {
        start(Map.of(), dubbo(provider()));

        HttpSocket client = client();
        client.send("GET /a.Unknown HTTP/1.1\r\nHost: mesh\r\n\r\n");
        client.answer().assertProblem(404, "NOT_FOUND");
    }

    @Test
    void aConfiguredTokenIsSentWhereTheRegistryTellsNone() throws Exception {
        start(Map.of("dubbo.token", "s3cret,a.C=other"), dubbo(provider()));
        HttpSocket client = client();

        client.send(Requests.form("hi"));
        Arrived call = next();
        assertThat(call.call().body()).contains(text("token") + "06" + text("s3cret"));
        call.answer(1);
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @Test
    void theFileOfTokensIsReadAgainWhenItChanges(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("tokens"), "first\n");
        start(Map.of("dubbo.token-file", file.toString()), dubbo(provider()));
        HttpSocket client = client();
        Files.writeString(file, "another\n");

        Await.until("the new token is sent", () -> {
            client.send(Requests.form("hi"));
            Arrived call = next();
            call.answer(1);
            assertThat(client.answer().status()).isEqualTo(200);
            return call.call().body().contains(text("another"));
        });
    }

    @Test
    void versionAndGroupOfACallArePassedOnWhereNothingIsKnownOfTheProvider() throws Exception {
        start(Map.of(), dubbo(provider()));
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m?version=2.0&group=blue", "[1]", "X-Dubbo-Parameter-Types: int"));
        Arrived call = next();
        assertThat(call.call().body()).contains(text("2.0")).contains(text("blue"));
        call.answer(1);
        assertThat(client.answer().text()).isEqualTo("1");
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
        start(Map.of(), dubbo(provider()));
        HttpSocket client = client();

        client.send(Requests.form("1") + Requests.form("2") + Requests.form("3"));
        Arrived one = next();
        Arrived two = next();
        Arrived three = next();
        three.answer(3);
        two.answer(2);
        one.answer(1);
        for (int i = 1; i <= 3; i++) {
            assertThat(client.answer().text()).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void anArgumentThatDoesNotFitItsTypeIsAnsweredWithoutTheProvider() throws Exception {
        start(Map.of(), dubbo(provider()));
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[\"x\"]", "X-Dubbo-Parameter-Types: int")
                + Requests.json("/a.B/m", "[\"y\"]", "X-Dubbo-Parameter-Types: int"));
        for (String argument : List.of("x", "y")) {
            HttpAnswer answer = client.answer();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text()).contains("BAD_ARGUMENT").contains(argument);
        }
        assertThat(arrived).isEmpty();
    }

    @Test
    void aCallThatAProviderRefusesGoesToAnother() throws Exception {
        ScriptedProvider full = opened(new ScriptedProvider())
                .serve((connection, call) -> connection.answer(call.id(), POOL_EXHAUSTED, "03" + text("any")));
        ScriptedProvider other = answering(7);
        start(Map.of(), dubbo(full), dubbo(other));
        HttpSocket client = client();

        for (int i = 0; i < 4; i++) {
            assertThat(client.call(Requests.form("a")).text()).isEqualTo("7");
        }
        assertThat(full.calls()).isNotEmpty();
        assertThat(other.calls()).hasSize(4);
    }

    @Test
    void aLostConnectionFailsTheCallsInFlightAndNoneIsSentTwice() throws Exception {
        ScriptedProvider dying = provider();
        start(Map.of(), dubbo(dying), dubbo(dying).replace("127.0.0.1", "127.0.0.2"));
        HttpSocket client = client();
        client.send(Requests.form("1"));
        Arrived call = next();

        call.connection().reset();
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.text()).contains("PROVIDER_ERROR").contains("connection to the provider lost");
        assertThat(dying.calls()).hasSize(1);

        client.send(Requests.form("2"));
        next().answer(2);
        assertThat(client.answer().text()).isEqualTo("2");
    }

    @Test
    void aProviderThatIsAwayIsConnectedWhenItComes() throws Exception {
        ScriptedProvider early = new ScriptedProvider();
        int port = early.port();
        early.close();
        start(Map.of(), "dubbo://127.0.0.1:" + port);
        HttpSocket client = client();

        HttpAnswer answer = client.call(Requests.form("1"));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("NO_PROVIDER").contains("127.0.0.1:" + port);

        opened(new ScriptedProvider(port)).serve((connection, call) -> connection.answerInt(call.id(), 5));
        Await.until(
                "the provider is called",
                () -> client.call(Requests.form("2")).text().equals("5"));
    }

    @Test
    void theNextCallHasThePermitOfTheOneThatIsAnswered() throws Exception {
        start(Map.of("lb.limit", "1", "dubbo.queue", "0"), dubbo(provider()));
        HttpSocket client = client();

        int calls = 20;
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            requests.add(Requests.form(Integer.toString(i)));
        }
        client.send(String.join("", requests));
        for (int i = 0; i < calls; i++) {
            Arrived call = next();
            assertThat(arrived).as("calls beyond the limit").isEmpty();
            call.answer(i);
            assertThat(client.answer().text()).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void aCallWhoseDeadlineHasPassedKeepsItsPermit() throws Exception {
        start(Map.of("lb.limit", "1", "dubbo.queue", "0"), dubbo(provider()));
        HttpSocket client = client();
        // Opens the connection.
        client.send(Requests.form("0"));
        next().answer(0);
        assertThat(client.answer().text()).isEqualTo("0");

        assertThat(client.call(Requests.form("1", "X-Request-Timeout: 200")).status())
                .isEqualTo(504);
        HttpAnswer refused = client.call(Requests.form("2"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text()).contains("OVERLOADED");
        next().answer(1);
        // The permit is back when the agent has read that.
        Arrived third = null;
        while (third == null) {
            client.send(Requests.form("3"));
            third = arrived.poll(200, TimeUnit.MILLISECONDS);
            if (third == null) {
                assertThat(client.answer().status()).isEqualTo(503);
            }
        }
        third.answer(3);
        assertThat(client.answer().text()).isEqualTo("3");
    }

    @Test
    void aOneWayCallIsSentAndNotAwaited() throws Exception {
        start(Map.of(), dubbo(provider()));
        HttpSocket client = client();

        assertThat(client.call(Requests.form("1", ONE_WAY)).status()).isEqualTo(202);
        assertThat(isOneWay(next())).isTrue();
    }

    @Test
    void aOneWayCallThatWaitsForAPermitIsSentThoughItsLinkIsClosed() throws Exception {
        // So that no permit comes back without an answer.
        start(
                Map.of("lb.limit", "1", "dubbo.silence", "60 s", "links.idle", "300 ms", "links.warm", ""),
                dubbo(provider()));
        HttpSocket client = client();
        assertThat(client.call(Requests.form("1", "X-Request-Timeout: 200")).status())
                .isEqualTo(504);
        Arrived first = next();
        assertThat(client.call(Requests.form("2", ONE_WAY)).status()).isEqualTo(202);
        Await.until("the link is closed", this::areEndpointsIdle);

        client.send(Requests.form("3"));
        assertThat(arrived.poll(300, TimeUnit.MILLISECONDS))
                .as("a call beyond the limit")
                .isNull();
        first.answer(1);
        int oneWayCalls = 0;
        for (int i = 0; i < 2; i++) {
            Arrived other = next();
            if (isOneWay(other)) {
                oneWayCalls++;
            } else {
                other.answer(3);
            }
        }
        assertThat(oneWayCalls).isEqualTo(1);
        assertThat(client.answer().text()).isEqualTo("3");
    }

    @Test
    void aOneWayCallThatIsWrittenSlowlyIsWrittenWholeBeforeItsConnectionIsClosed() throws Exception {
        ScriptedProvider provider = opened(new ScriptedProvider());
        start(Map.of("links.idle", "300 ms", "links.warm", "", "http.max-body", "8 MiB"), dubbo(provider));
        HttpSocket client = client();
        // More than the system takes for a peer that does not read.
        String argument = "x".repeat(7_000_000);

        client.send(Requests.json("/a.B/m", "[\"" + argument + "\"]", ONE_WAY, "X-Dubbo-Parameter-Types: String"));
        DubboConnection connection = provider.accept();
        connection.send(DubboFrame.frame(0x22, DubboFrame.OK, connection.read().id(), "4e"));
        assertThat(client.answer().status()).isEqualTo(202);
        Await.until("the link is closed", this::areEndpointsIdle);

        DubboFrame call = connection.read();
        assertThat(call.isEvent()).isFalse();
        assertThat(call.body().length()).isGreaterThan(2 * argument.length());
        assertThat(connection.isAtEnd()).isTrue();
    }

    @Test
    void anAgentThatStopsSendsTheOneWayCallsThatWaitForAPermit() throws Exception {
        start(Map.of("lb.limit", "1", "dubbo.silence", "60 s"), dubbo(provider()));
        HttpSocket client = client();
        assertThat(client.call(Requests.form("1", "X-Request-Timeout: 200")).status())
                .isEqualTo(504);
        Arrived first = next();
        assertThat(client.call(Requests.form("2", ONE_WAY, "X-Request-Timeout: 60000"))
                        .status())
                .isEqualTo(202);

        ConsumerAgent agent = takeAgent();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> agent.stop(TimeUnit.SECONDS.toNanos(30)));
        assertThat(stopped).as("the agent").failsWithin(1500, TimeUnit.MILLISECONDS);
        first.answer(1);
        assertThat(isOneWay(next())).isTrue();
        assertThat(stopped).succeedsWithin(20, TimeUnit.SECONDS);
    }

    @Test
    void theMetricsTellOfTheCallsAndConnectionsOfProviders() throws Exception {
        start(
                Map.of("lb.limit", "1", "dubbo.silence", "60 s", "links.idle", "300 ms", "links.warm", ""),
                dubbo(provider()));
        HttpSocket client = client();
        assertThat(client.call(Requests.form("1", "X-Request-Timeout: 200")).status())
                .isEqualTo(504);
        Arrived first = next();
        assertThat(client.call(Requests.form("2", ONE_WAY)).status()).isEqualTo(202);
        for (String gauge : List.of("connections", "calls_in_service", "calls_waiting")) {
            assertThat(told(gauge)).as(gauge).isEqualTo(1);
        }

        first.answer(1);
        assertThat(isOneWay(next())).isTrue();
        client.send(Requests.form("3"));
        next().connection().reset();
        assertThat(client.answer().status()).isEqualTo(502);
        assertThat(told("calls_lost_total")).isEqualTo(1);
        Await.until("the connection is closed", () -> told("connections") == 0);
        assertThat(told("calls_lost_total")).isEqualTo(1);
        assertThat(told("calls_in_service") + told("calls_waiting")).isZero();
    }

    private double told(String name) throws IOException {
        return scrape().sum("dubbomesh_consumer_dubbo_" + name);
    }

    private static boolean isOneWay(Arrived call) {
        return call.call().header().startsWith("dabb82");
    }

    @Test
    void weightsHoldBetweenAProviderAgentAndProvidersWithoutOne() throws Exception {
        ServingPeer agent = opened(new ServingPeer());
        ScriptedProvider one = answering(1);
        ScriptedProvider two = answering(2);
        start(Map.of(), "127.0.0.1:" + agent.port() + "*2", dubbo(one) + "*100", dubbo(two) + "*50");
        HttpSocket client = client();

        int calls = 700;
        for (int i = 0; i < calls; i++) {
            assertThat(client.call(Requests.form("abcdefgh")).status()).isEqualTo(200);
        }
        assertThat(agent.requests()).isCloseTo(calls * 4 / 7, within(calls / 20));
        assertThat(one.calls().size()).isCloseTo(calls * 2 / 7, within(calls / 20));
        assertThat(two.calls().size()).isCloseTo(calls / 7, within(calls / 20));
    }
}
