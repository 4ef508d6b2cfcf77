package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/** Links are opened by calls, and closed without them. */
@Timeout(60)
class LinksOnDemandTest {
    @TempDir
    Path registry;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog("io.dubbomesh");

    private ConsumerAgent agent;

    /** Accepts and closes at once. */
    private static final class ClosedDoor implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger accepted = new AtomicInteger();
        private final Thread thread = new Thread(this::accept, "closed-door");

        ClosedDoor() throws IOException {
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    accepted.incrementAndGet();
                    socket.close();
                }
            } catch (IOException e) {
                assertThat(listener.isClosed()).isTrue();
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @AfterEach
    void close() {
        agent.stop(0);
    }

    private void register(String service, int port) throws IOException {
        register(service, "127.0.0.1", port);
    }

    private void register(String service, String host, int port) throws IOException {
        Path folder = Files.createDirectories(registry.resolve(service));
        Files.writeString(folder.resolve(host + '_' + port), "");
    }

    private void start(String... settings) throws Exception {
        Map<String, String> properties = new HashMap<>(
                Map.of("registry", "file:" + registry, "server.port", "0", "admin.port", "0", "io.threads", "1"));
        for (int i = 0; i < settings.length; i += 2) {
            properties.put(settings[i], settings[i + 1]);
        }
        agent = new ConsumerAgent(Settings.of(ConsumerSettings.REFERENCE, properties, Map.of()));
    }

    private HttpAnswer call(String service) throws IOException {
        return HttpSocket.once(agent.port(), Requests.json("/" + service + "/m", "[]", "X-Dubbo-Parameter-Types: "));
    }

    @Test
    void anEndpointIsTriedWhenACallNeedsItAndThenAgainAndAgain() throws Exception {
        try (ClosedDoor called = new ClosedDoor();
                ClosedDoor uncalled = new ClosedDoor()) {
            register("a.Called", called.listener.getLocalPort());
            register("a.Uncalled", uncalled.listener.getLocalPort());
            start();
            awaitTheList();
            assertThat(called.accepted).hasValue(0);

            assertThat(call("a.Called").status()).isEqualTo(503);
            Await.until("what is called is tried again and again", () -> called.accepted.get() > 5);

            assertThat(uncalled.accepted).hasValue(0);
            assertThat(log.lines()).noneMatch(line -> line.contains(":" + uncalled.listener.getLocalPort()));
            assertThat(log.lines()).anyMatch(line -> line.contains(":" + called.listener.getLocalPort()));
        }
    }

    @Test
    void theFirstCallOfAServiceWaitsForTheLink() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(180, 4096)) {
            register("a.B", provider.port());
            start();
            awaitTheList();
            assertThat(provider.connections()).isZero();

            assertThat(answered(provider, "a.B")).isEqualTo("yes");
        }
    }

    @Test
    void aFirstCallThatIsOneWayIsAcceptedWhenItIsSent() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(180, 4096)) {
            register("a.B", provider.port());
            start();
            awaitTheList();

            assertThat(HttpSocket.once(agent.port(), Requests.json("/a.B/m", "[1]", "X-Dubbo-Oneway: true"))
                            .status())
                    .isEqualTo(202);
            assertThat(provider.nextRequest().flags() & Flags.ONE_WAY).isNotZero();
        }
    }

    @Test
    void theFirstCallsAreSpreadByTheWeights() throws Exception {
        try (ServingPeer one = new ServingPeer();
                ServingPeer two = new ServingPeer()) {
            register("a.B", one.port());
            register("a.B", two.port());
            start("lb.slow-start", "0");
            awaitTheList();

            try (HttpSocket client = new HttpSocket(agent.port())) {
                client.send(Requests.form("12345678").repeat(40));
                for (int i = 0; i < 40; i++) {
                    assertThat(client.answer().status()).isEqualTo(200);
                }
            }
            assertThat(one.requests()).isEqualTo(20);
            assertThat(two.requests()).isEqualTo(20);
        }
    }

    @Test
    void anAddressThatDoesNotAnswerHoldsUpTheFirstCallForAMoment() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(180, 4096);
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            register("a.B", provider.port());
            register("a.B", silent.getLocalPort());
            start();
            awaitTheList();

            long startNs = System.nanoTime();
            assertThat(answered(provider, "a.B")).isEqualTo("yes");
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(1));
        }
    }

    @Test
    void anIdleLinkIsClosedAndOpenedByTheNextCall() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(180, 4096)) {
            register("a.B", provider.port());
            start("links.idle", "300ms");
            awaitTheList();
            for (int i = 1; i <= 3; i++) {
                assertThat(answered(provider, "a.B")).isEqualTo("yes");
                Await.until("the link is closed", () -> provider.openLinks() == 0);
                assertThat(provider.connections()).isEqualTo(i);
            }
            assertThat(log.lines()).noneMatch(line -> line.contains("trying again"));
        }
    }

    @Test
    void aLinkIsNotIdleAsLongAsACallIsInFlightOrAnotherServiceIsCalled() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(180, 4096);
                ProviderPeer other = new ProviderPeer(180, 4096)) {
            register("a.B", provider.port());
            register("a.C", provider.port());
            register("a.Other", other.port());
            start("links.idle", "400ms");
            awaitTheList();
            try (HttpSocket client = new HttpSocket(agent.port())) {
                client.send(Requests.json("/a.B/m", "[]"));
                ProviderPeer.Received inFlight = provider.nextRequest();
                callOnceUntilClosed(other);
                callOnceUntilClosed(other);
                provider.answer(inFlight, 0, Flags.JSON, "1");
                assertThat(client.answer().status()).isEqualTo(200);

                assertThat(answered(other, "a.Other")).isEqualTo("yes");
                Await.until("another link, called less, is closed", () -> {
                    assertThat(answered(provider, "a.C")).isEqualTo("yes");
                    return other.openLinks() == 0;
                });
            }
            assertThat(provider.connections()).isEqualTo(1);
        }
    }

    /** Any other link that was called no later is closed by the end of two of these, if it may be. */
    private void callOnceUntilClosed(ProviderPeer other) throws Exception {
        assertThat(answered(other, "a.Other")).isEqualTo("yes");
        Await.until("the other link is closed", () -> other.openLinks() == 0);
    }

    /** Calls that come just when the link is closed. */
    @Test
    void noCallFailsBecauseALinkWasClosedAsIdle() throws Exception {
        try (ServingPeer provider = new ServingPeer()) {
            register("a.B", provider.port());
            start("links.idle", "20ms");
            awaitTheList();
            try (HttpSocket client = new HttpSocket(agent.port())) {
                for (int i = 0; i < 30; i++) {
                    Thread.sleep(90 + i % 20);
                    client.send(Requests.form("12345678"));
                    assertThat(client.answer().status()).isEqualTo(200);
                }
            }
            assertThat(provider.connections()).isGreaterThan(5);
        }
    }

    @Test
    void warmServicesAreConnectedBeforeTheAgentIsReady() throws Exception {
        try (ProviderPeer warm = new ProviderPeer(180, 4096);
                ProviderPeer cold = new ProviderPeer(180, 4096);
                ProviderPeer other = new ProviderPeer(180, 4096)) {
            register("a.Warm", warm.port());
            register("a.Cold", cold.port());
            register("a.Other", other.port());
            start("links.warm", "a.Warm, a.Absent", "links.idle", "100ms");
            Await.until("the agent is ready", () -> readyz() == 200);
            assertThat(warm.openLinks()).isEqualTo(1);
            callOnceUntilClosed(other);
            callOnceUntilClosed(other);
            assertThat(warm.openLinks()).isEqualTo(1);
            assertThat(warm.connections()).isEqualTo(1);
            assertThat(cold.connections()).isZero();

            register("a.Absent", cold.port());
            Await.until("a service that comes later is warm too", () -> cold.openLinks() == 1);
        }
    }

    @Test
    void anAddressThatDoesNotAnswerKeepsTheAgentFromBeingReadyForAMoment() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(180, 4096);
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            register("a.B", provider.port());
            register("a.B", silent.getLocalPort());
            long startNs = System.nanoTime();
            start("links.warm", "a.B", "mesh.heartbeat", "20s");
            Await.until("the agent is ready", () -> readyz() == 200);
            assertThat(System.nanoTime() - startNs)
                    .isBetween(TimeUnit.MILLISECONDS.toNanos(300), TimeUnit.SECONDS.toNanos(5));
        }
    }

    @Test
    void ofALargeServiceASubsetIsConnectedAndOthersTakeThePlaceOfThoseThatAreGone() throws Exception {
        List<ServingPeer> providers = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                providers.add(new ServingPeer());
                register("a.B", providers.get(i).port());
            }
            start("links.subset", "3");
            awaitTheList();
            try (HttpSocket client = new HttpSocket(agent.port())) {
                callUntil(client, "three are called", () -> called(providers) == 3);
                assertThat(connected(providers)).isEqualTo(3);
                ServingPeer gone = providers.stream()
                        .filter(provider -> provider.requests() > 0)
                        .findFirst()
                        .orElseThrow();
                gone.close();
                callUntil(client, "another one is called", () -> called(providers) == 4);
                assertThat(connected(providers)).isEqualTo(4);
            }
        } finally {
            for (ServingPeer provider : providers) {
                provider.close();
            }
        }
    }

    private static void callUntil(HttpSocket client, String what, Callable<Boolean> condition) throws Exception {
        Await.until(what, () -> {
            client.send(Requests.form("12345678"));
            client.answer();
            return condition.call();
        });
    }

    private static long called(List<ServingPeer> providers) {
        return providers.stream().filter(provider -> provider.requests() > 0).count();
    }

    private static long connected(List<ServingPeer> providers) {
        return providers.stream().filter(provider -> provider.connections() > 0).count();
    }

    @Test
    void aThousandEndpointsOfAServiceThatNobodyCallsAreFewLines() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            register("a.Uncalled", "127.0.1.1", 1 + i);
        }
        start();
        awaitTheList();

        assertThat(log.lines()).hasSizeLessThan(10);
    }

    private void awaitTheList() throws Exception {
        Await.until("the list is loaded", () -> call("a.Unknown").text().contains("never registered"));
    }

    private int readyz() throws IOException {
        URI readyz = URI.create("http://127.0.0.1:" + agent.adminPort() + "/readyz");
        return ((HttpURLConnection) readyz.toURL().openConnection()).getResponseCode();
    }

    /** The answer to a call of this service, which the provider executes. */
    private String answered(ProviderPeer provider, String service) throws Exception {
        try (HttpSocket client = new HttpSocket(agent.port())) {
            client.send(Requests.json("/" + service + "/m", "[]", "X-Dubbo-Parameter-Types: "));
            provider.answer(provider.nextRequest(), 0, Flags.TEXT, "yes");
            return client.answer().text();
        }
    }
}
