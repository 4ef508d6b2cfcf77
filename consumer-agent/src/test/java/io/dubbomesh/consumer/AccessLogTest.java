package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The lines of the access log, whichever way a request ends. */
class AccessLogTest extends AgentTest {
    private static final int TELLS_TIMING = 0x02;
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @TempDir
    private Path directory;

    private Path log;

    private ProviderPeer start(ProviderPeer provider, String... settings) throws Exception {
        log = directory.resolve("access.log");
        Map<String, String> all = new HashMap<>(Map.of("access.log", log.toString()));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        start(all, provider);
        return provider;
    }

    private ProviderPeer timingProvider(int limit) throws IOException {
        return opened(new ProviderPeer(MeshFrame.hello(limit, 4096, TELLS_TIMING)));
    }

    @Test
    void aLineSaysWhoCalledWhatWhereItWentAndHowLongItTook() throws Exception {
        ProviderPeer provider = start(timingProvider(180));
        HttpSocket client = client();
        Instant before = Instant.now();
        client.send(Requests.json(
                "/a.B/m?version=1.0&group=g", "[1]", "traceparent: 00-" + TRACE + "-00f067aa0ba902b7-01"));
        ProviderPeer.Received request = provider.nextRequest();
        assertThat(request.flags()).as("it is timed").isEqualTo(0x12);
        provider.answer(
                request,
                0,
                Flags.JSON,
                MeshFrame.attachments(":timing", "1000 2000 192.0.2.7:20880").substring(4),
                "12345");
        client.answer();

        Map<?, ?> line = line();
        assertThat(Instant.parse((String) line.get("time")))
                .isBetween(before.minus(Duration.ofSeconds(1)), Instant.now().plus(Duration.ofSeconds(1)));
        assertThat(line.get("traceId")).isEqualTo(TRACE);
        assertThat((String) line.get("client")).startsWith("127.0.0.1:");
        assertThat(line.get("service")).isEqualTo("a.B");
        assertThat(line.get("method")).isEqualTo("m");
        assertThat(line.get("version")).isEqualTo("1.0");
        assertThat(line.get("group")).isEqualTo("g");
        assertThat(line.get("endpoint")).isEqualTo("127.0.0.1:" + provider.port());
        assertThat(line.get("protocol")).isEqualTo("mesh");
        assertThat(line.get("provider")).isEqualTo("192.0.2.7:20880");
        assertThat(line.get("status")).isEqualTo(200L);
        assertThat(line.get("code")).isEqualTo("OK");
        assertThat(line.get("bytesIn")).isEqualTo(3L);
        assertThat(line.get("bytesOut")).isEqualTo(5L);
        assertThat(line.get("attempts")).isEqualTo(1L);
        assertThat(line.get("providerQueueMs")).isEqualTo(new BigDecimal("0.001"));
        assertThat(line.get("providerMs")).isEqualTo(new BigDecimal("0.002"));
        assertThat(number(line, "durationMs")).isPositive();
        assertThat(number(line, "meshMs")).isPositive();
        assertThat(line.containsKey("upstreamMs")).isFalse();
        assertThat(line.containsKey("spanId")).isFalse();
    }

    @Test
    void whatIsRefusedBeforeItIsKnownWhatIsCalledHasTheRequestInstead() throws Exception {
        start(provider(180));
        HttpSocket client = client();
        client.send(Requests.json("/a.B", "[]"));
        client.answer();
        client.send(HttpSocket.request("GET /no/such/path", ""));
        client.answer();
        client.send("NONSENSE\r\n\r\n");
        client.answer();

        List<Map<?, ?>> lines = lines(3);
        assertThat(lines.get(0).get("request")).isEqualTo("POST /a.B");
        assertThat(lines.get(0).get("status")).isEqualTo(405L);
        assertThat(lines.get(1).get("request")).isEqualTo("GET /no/such/path");
        assertThat(lines.get(1).get("code")).isEqualTo("NOT_FOUND");
        assertThat(lines.get(2).get("status")).isEqualTo(400L);
        for (Map<?, ?> line : lines) {
            assertThat(line.get("attempts")).isEqualTo(0L);
            assertThat(line.containsKey("service")).isFalse();
            assertThat(line.containsKey("endpoint")).isFalse();
            assertThat(line.containsKey("upstreamMs")).isFalse();
        }
        assertThat(lines.get(2).containsKey("request")).isFalse();
    }

    @Test
    void anArgumentThatIsMalformedIsOfAMethodThatIsKnown() throws Exception {
        start(provider(180));
        HttpSocket client = client();
        client.send(Requests.form("%zz"));
        client.answer();

        Map<?, ?> line = line();
        assertThat(line.get("service")).isEqualTo("a.B");
        assertThat(line.get("status")).isEqualTo(400L);
        assertThat(line.get("attempts")).isEqualTo(0L);
    }

    @Test
    void aClientThatLeavesHasALine() throws Exception {
        ProviderPeer provider = start(provider(1));
        HttpSocket flying = client();
        flying.send(Requests.form("1"));
        provider.nextRequest();
        HttpSocket waiting = client();
        waiting.send(Requests.form("2"));
        Await.until("the second waits", () -> scrape().sum("dubbomesh_consumer_requests_waiting") == 1);
        waiting.closeByReset();
        Map<?, ?> waited = lines(1).get(0);
        flying.closeByReset();
        Map<?, ?> flown = lines(2).get(1);

        for (Map<?, ?> line : List.of(waited, flown)) {
            assertThat(line.get("status")).isEqualTo(499L);
            assertThat(line.get("code")).isEqualTo("CLIENT_LEFT");
            assertThat(line.get("service")).isEqualTo("a.B");
            assertThat(line.get("bytesOut")).isEqualTo(0L);
        }
        assertThat(waited.get("attempts")).isEqualTo(0L);
        assertThat(number(waited, "queueMs")).isPositive();
        assertThat(flown.get("attempts")).isEqualTo(1L);
        assertThat(flown.get("endpoint")).isEqualTo("127.0.0.1:" + provider.port());
        assertThat(number(flown, "upstreamMs")).isPositive();
    }

    @Test
    void aDeadlineThatPassesInTheQueueOrInFlightHasALine() throws Exception {
        ProviderPeer provider = start(provider(1));
        HttpSocket client = client();
        client.send(Requests.form("1", "X-Request-Timeout: 60") + Requests.form("2", "X-Request-Timeout: 50"));
        provider.nextRequest();
        assertThat(client.answer().status()).isEqualTo(504);
        assertThat(client.answer().status()).isEqualTo(504);

        List<Map<?, ?>> lines = new ArrayList<>(lines(2));
        lines.sort((a, b) -> ((Long) a.get("attempts")).compareTo((Long) b.get("attempts")));
        assertThat(lines.get(0).get("code")).isEqualTo("TIMEOUT");
        assertThat(lines.get(0).get("attempts")).isEqualTo(0L);
        assertThat(number(lines.get(0), "queueMs")).isGreaterThan(40);
        assertThat(lines.get(1).get("attempts")).isEqualTo(1L);
        assertThat(number(lines.get(1), "upstreamMs")).isGreaterThan(40);
    }

    @Test
    void aCallThatIsSentASecondTimeSaysSo() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer two = provider(180);
        log = directory.resolve("access.log");
        start(Map.of("access.log", log.toString()), one, two);
        HttpSocket client = client();
        client.send(Requests.form("1"));
        Await.until("a frame comes", () -> !one.hasNone() || !two.hasNone());
        ProviderPeer first = one.hasNone() ? two : one;
        ProviderPeer second = first == one ? two : one;
        first.refuse(first.nextRequest());
        second.answer(second.nextRequest(), 0, Flags.TEXT, "one");
        client.answer();

        Map<?, ?> line = line();
        assertThat(line.get("attempts")).isEqualTo(2L);
        assertThat(line.get("endpoint")).isEqualTo("127.0.0.1:" + second.port());
        assertThat(line.get("status")).isEqualTo(200L);
    }

    @Test
    void aLinkThatIsLostIsTheEndOfItsCalls() throws Exception {
        ProviderPeer provider = start(provider(180));
        HttpSocket client = client();
        client.send(Requests.form("1"));
        provider.nextRequest();
        provider.closeLinks();
        assertThat(client.answer().status()).isEqualTo(502);

        Map<?, ?> line = line();
        assertThat(line.get("code")).isEqualTo("PROVIDER_ERROR");
        assertThat(line.get("endpoint")).isEqualTo("127.0.0.1:" + provider.port());
    }

    @Test
    void aOneWayCallHasTheStatusOfItsAnswer() throws Exception {
        start(provider(180));
        HttpSocket client = client();
        client.send(Requests.form("1", "X-Dubbo-Oneway: true"));
        client.answer();

        assertThat(line().get("status")).isEqualTo(202L);
        assertThat(line().get("code")).isEqualTo("OK");
    }

    @Test
    void answersThatWaitForEarlierOnesHaveLinesOfTheirOwn() throws Exception {
        ProviderPeer provider = start(provider(180));
        HttpSocket client = client();
        client.send(Requests.form("1") + Requests.form("22"));
        ProviderPeer.Received first = provider.nextRequest();
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        Await.until("the second has its answer", () -> scrape().sum("dubbomesh_consumer_requests_total") == 1);
        provider.answer(first, 33, Flags.JSON, "{}");
        client.answer();
        client.answer();

        List<Map<?, ?>> lines = lines(2);
        assertThat(lines.get(0).get("status")).isEqualTo(502L);
        assertThat(lines.get(1).get("status")).isEqualTo(200L);
        assertThat(lines.get(1).get("bytesOut")).isEqualTo(3L);
    }

    @Test
    void onlyFailuresAndSlowCallsAreLoggedIfTheSettingsSaySo() throws Exception {
        ProviderPeer provider =
                start(provider(180), "access.log.failures-only", "true", "access.log.slower-than", "200 ms");
        HttpSocket client = client();
        client.send(Requests.form("fast"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "one");
        client.answer();
        client.send(Requests.form("fails"));
        provider.answer(provider.nextRequest(), 33, Flags.JSON, "{}");
        client.answer();
        client.send(Requests.form("slow"));
        ProviderPeer.Received slow = provider.nextRequest();
        long sinceNs = System.nanoTime();
        Await.until("it is slow", () -> System.nanoTime() - sinceNs > 210_000_000);
        provider.answer(slow, 0, Flags.TEXT, "three");
        client.answer();

        assertThat(lines(2)).extracting(line -> (Object) line.get("status")).containsExactly(502L, 200L);
    }

    @Test
    void aSampleOfNoneIsEmpty() throws Exception {
        ProviderPeer provider = start(provider(180), "access.log.sample", "0");
        HttpSocket client = client();
        client.send(Requests.form("1"));
        ProviderPeer.Received request = provider.nextRequest();
        assertThat(request.flags()).isEqualTo(0x01);
        provider.answer(request, 0, Flags.TEXT, "one");
        client.answer();

        takeAgent().stop(0);
        assertThat(log).isEmptyFile();
    }

    @Test
    void aFileThatWasMovedAwayIsOpenedAgain() throws Exception {
        start(provider(180));
        HttpSocket client = client();
        client.send(HttpSocket.request("GET /no/such/path", ""));
        client.answer();
        lines(1);
        Path moved = Files.move(log, directory.resolve("access.log.1"));
        Await.until("the file is there again", () -> {
            client.send(HttpSocket.request("GET /no/such/path", ""));
            client.answer();
            return Files.exists(log) && Files.size(log) > 0;
        });

        double written = scrape().sum("dubbomesh_consumer_access_log_lines_total");
        takeAgent().stop(0);
        assertThat(Files.readAllLines(moved).size() + Files.readAllLines(log).size())
                .as("no line is lost")
                .isGreaterThanOrEqualTo((int) written);
    }

    @Test
    void everyLineIsWrittenBeforeTheAgentEnds() throws Exception {
        start(provider(180));
        HttpSocket client = client();
        int count = 100;
        client.send(HttpSocket.request("GET /no/such/path", "").repeat(count));
        for (int i = 0; i < count; i++) {
            client.answer();
        }
        takeAgent().stop(0);

        assertThat(Files.readAllLines(log)).hasSize(count).allSatisfy(Json::read);
    }

    @Test
    void theAgentDoesNotStartWithAFileThatItCannotWrite() {
        String file = directory.resolve("none").resolve("access.log").toString();
        assertThatThrownBy(() -> start(Map.of("access.log", file)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("access.log: " + file + " (expected: stdout, or a file that can be written to");
        assertThatThrownBy(() -> start(Map.of("access.log", directory.toString(), "access.log.sample", "2")))
                .hasMessageContaining("access.log.sample: 2 (expected: 0 to 1)");
    }

    private Map<?, ?> line() throws Exception {
        return lines(1).get(0);
    }

    private List<Map<?, ?>> lines(int count) throws Exception {
        Await.until(
                "the lines are there",
                () -> Files.exists(log) && Files.readAllLines(log).size() >= count);
        List<Map<?, ?>> lines = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            lines.add((Map<?, ?>) Json.read(line));
        }
        assertThat(lines).hasSize(count);
        return lines;
    }

    private static double number(Map<?, ?> line, String name) {
        return ((Number) line.get(name)).doubleValue();
    }
}
