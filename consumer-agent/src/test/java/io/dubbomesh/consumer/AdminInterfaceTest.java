package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class AdminInterfaceTest extends AgentTest {
    private static final Map<String, String> SETTINGS = Map.of("lb.slow-start", "0");

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/" + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private Map<?, ?> get(String path) throws Exception {
        HttpResponse<String> response = send("GET", path, "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return (Map<?, ?>) Json.read(response.body());
    }

    private List<Object> list(String path, String member) throws Exception {
        return new ArrayList<>((List<?>) get(path).get(member));
    }

    private static String id(ProviderPeer peer) {
        return "127.0.0.1:" + peer.port();
    }

    private void call(HttpSocket client, ProviderPeer provider) throws Exception {
        client.send(Requests.form("x"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "y");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @Test
    void theStateOfTheAgentIsAddedUpOverItsEventLoops() throws Exception {
        ProviderPeer provider = provider(7);
        start(Map.of("io.threads", "2"), provider);
        HttpSocket client = client();
        client.send(Requests.form("x"));
        ProviderPeer.Received request = provider.nextRequest();

        Map<?, ?> state = get("state");

        assertThat(state.get("agent")).isEqualTo("consumer-agent");
        assertThat(state.get("ready")).isEqualTo(true);
        assertThat(state.get("readiness")).isEqualTo("ready");
        assertThat(state.get("registry")).isEqualTo("static:127.0.0.1:" + provider.port() + "*1");
        assertThat(state.get("registryLoaded")).isEqualTo(true);
        assertThat(state.get("eventLoops")).isEqualTo(2L);
        assertThat(state.get("connections")).isEqualTo(1L);
        assertThat(state.get("callsInFlight")).isEqualTo(1L);
        assertThat(state.get("callsWaiting")).isEqualTo(0L);
        assertThat(state.get("endpoints")).isEqualTo(1L);
        assertThat(state.get("endpointsAlive")).isEqualTo(1L);
        assertThat(state.get("endpointsIdle")).isEqualTo(0L);
        assertThat(((Map<?, ?>) state.get("process")).get("pid"))
                .isEqualTo(ProcessHandle.current().pid());
        provider.answer(request, 0, Flags.TEXT, "y");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @Test
    void theApplicationsThatCallAreListedWhateverEventLoopServesThem() throws Exception {
        ProviderPeer provider = provider(7);
        start(Map.of("io.threads", "2"), provider);
        for (int i = 0; i < 4; i++) {
            HttpSocket client = client();
            client.send(Requests.form("x").replaceFirst("\r\n", "\r\nUser-Agent: shop/1.0 <b>\r\n"));
            provider.answer(provider.nextRequest(), 0, Flags.TEXT, "y");
            assertThat(client.answer().status()).isEqualTo(200);
        }
        call(client(), provider);

        List<?> callers = list("callers", "callers");

        assertThat(callers).hasSize(2);
        Map<?, ?> byAgent = (Map<?, ?>) callers.get(0);
        assertThat(byAgent.get("by")).isEqualTo("user-agent");
        assertThat(byAgent.get("name")).isEqualTo("shop/1.0 <b>");
        assertThat(byAgent.get("requests")).isEqualTo(4L);
        assertThat(byAgent.get("address")).isEqualTo("127.0.0.1");
        Map<?, ?> byAddress = (Map<?, ?>) callers.get(1);
        assertThat(byAddress.get("by")).isEqualTo("address");
        assertThat(byAddress.get("name")).isEqualTo("127.0.0.1");
    }

    @Test
    void anEndpointHasItsLinksItsCallsAndTheReasonWhyItIsNotConnected() throws Exception {
        ProviderPeer provider = provider(7);
        startWithPorts(SETTINGS, provider.port(), 1);
        HttpSocket client = client();
        client.send(Requests.form("x"));
        ProviderPeer.Received request = provider.nextRequest();

        assertThat(get("endpoints/" + id(provider)))
                .isEqualTo(Map.ofEntries(
                        Map.entry("id", id(provider)),
                        Map.entry("kind", "mesh"),
                        Map.entry("weight", 1L),
                        Map.entry("limit", 7L),
                        Map.entry("listed", true),
                        Map.entry("alive", true),
                        Map.entry("idle", false),
                        Map.entry("aliveLoops", 1L),
                        Map.entry("callsInFlight", 1L),
                        Map.entry(
                                "strategy",
                                Map.of("name", "weighted-round-robin", "weightPercent", new BigDecimal("50.0"))),
                        Map.entry("services", List.of()),
                        Map.entry("ejectedFrom", List.of())));
        Map<?, ?> other = get("endpoints/127.0.0.1:1");
        assertThat(other.get("alive")).isEqualTo(false);
        assertThat(other.get("reason")).asString().containsIgnoringCase("refused");
        assertThat(list("endpoints", "endpoints")).hasSize(2).contains(other);

        assertThat(get("services").get("services"))
                .asString()
                .startsWith("[{service=a.B, endpoints=[" + id(provider)
                        + ", 127.0.0.1:1], variants=[{version=, group=, callsInFlight=1, callsWaiting=0, endpoints=[{id=127.0.0.1:1,"
                        + " weight=1, effectiveWeight=1.0, alive=false, ejectedLoops=0, callsInFlight=0, calls=0}, ");
        provider.answer(request, 0, Flags.TEXT, "y");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @Test
    void anEndpointHasTheLoadThatItsAgentReportedLast() throws Exception {
        ProviderPeer provider = provider(7);
        startWithPorts(SETTINGS, provider.port());
        HttpSocket client = client();
        call(client, provider);
        assertThat(get("endpoints/" + id(provider)).get("load"))
                .as("an agent that reports none")
                .isNull();

        client.send(Requests.form("x"));
        ProviderPeer.Received request = provider.nextRequest();
        String answer = MeshFrame.response(request.requestId(), 0, Flags.TEXT, "", "y");
        String load = "2e1a";
        String calls = "00030002";
        request.link().send(answer.substring(0, 12) + load + answer.substring(16, 32) + calls + answer.substring(40));
        assertThat(client.answer().text()).isEqualTo("y");

        assertThat(get("endpoints/" + id(provider)).get("load"))
                .asString()
                .startsWith("{callsInService=3, callsWaiting=2, callMs=49.98, ageMs=");
    }

    @Test
    void anEndpointHasWhatTheStrategySeesOfIt() throws Exception {
        ProviderPeer provider = provider(7);
        startWithPorts(Map.of("lb.slow-start", "0", "lb", "peak-ewma", "io.threads", "1"), provider.port());
        HttpSocket client = client();
        call(client, provider);
        client.send(Requests.form("x"));
        ProviderPeer.Received request = provider.nextRequest();

        Map<?, ?> seen = (Map<?, ?>) get("endpoints/" + id(provider)).get("strategy");

        assertThat(seen.get("name")).isEqualTo("peak-ewma");
        assertThat(seen.get("calls")).isEqualTo(new BigDecimal("1.0"));
        assertThat(((BigDecimal) seen.get("latencyMs")).doubleValue()).isBetween(0.01, 60_000.0);
        assertThat(seen.get("heat")).isNull();
        assertThat(seen.get("weightPercent")).isEqualTo(new BigDecimal("100.0"));
        provider.answer(request, 0, Flags.TEXT, "y");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @Test
    void anEndpointThatNoCallNeedsIsIdleAndNotDown() throws Exception {
        ProviderPeer called = provider(7);
        startWithRegistry(Map.of("links.warm", ""), "static:" + id(called) + "*1,127.0.0.1:1*0");

        assertThat(get("endpoints/" + id(called))).asString().contains("alive=false", "idle=true");
        assertThat(get("state").get("endpointsIdle")).isEqualTo(2L);
        call(client(), called);
        assertThat(get("endpoints/" + id(called))).asString().contains("alive=true", "idle=false");
        assertThat(get("endpoints/127.0.0.1:1")).asString().contains("alive=false", "idle=true");
    }

    @Test
    void aListOfManyHasWhatCallsUseFirstAndTellsHowManyAreLeftOut() throws Exception {
        ProviderPeer called = provider(7);
        startWithRegistry(Map.of("links.warm", ""), "static:dubbo://127.0.0.1:1*0,127.0.0.1:2*0," + id(called) + "*1");
        call(client(), called);

        Map<?, ?> shown = get("endpoints?most=1");
        assertThat(shown.get("more")).isEqualTo(2L);
        assertThat((List<?>) shown.get("endpoints")).singleElement().asString().contains("id=" + id(called));
        assertThat(get("endpoints?most=3").get("more")).isNull();
        assertThat(get("services?most=1").get("more")).isNull();
        assertThat(send("GET", "endpoints?most=0", "").body()).contains("most: 0 (expected: 1-2147483647)");
        assertThat(send("GET", "endpoints?most=many", "").statusCode()).isEqualTo(400);
    }

    @Test
    void theKindOfAnEndpointTellsWhetherItHasAnAgent() throws Exception {
        startWithRegistry(Map.of("links.warm", ""), "static:dubbo://127.0.0.1:1*0,127.0.0.1:2*0");

        assertThat(get("endpoints/127.0.0.1:1").get("kind")).isEqualTo("dubbo");
        assertThat(get("endpoints/127.0.0.1:2").get("kind")).isEqualTo("mesh");
        assertThat(get("state").get("endpointsWithoutAgent")).isEqualTo(1L);
        assertThat(get("state").get("endpoints")).isEqualTo(2L);
    }

    @Test
    void anUnknownEndpointIs404AndAWrongWeight400() throws Exception {
        ProviderPeer provider = provider(7);
        start(Map.of(), provider);

        assertThat(send("GET", "endpoints/127.0.0.1:9", "").statusCode()).isEqualTo(404);
        assertThat(send("PUT", "endpoints/127.0.0.1:9/weight", "{\"weight\":5}").statusCode())
                .isEqualTo(404);
        assertThat(send("PUT", "endpoints/" + id(provider) + "/weight", "{\"weight\":1001}")
                        .body())
                .contains("weight: 1001 (expected: 0-1000)");
    }

    @Test
    void aChangedWeightChangesTheSharesOfTheCalls() throws Exception {
        ProviderPeer first = provider(180);
        ProviderPeer second = provider(180);
        start(SETTINGS, first, second);
        HttpSocket client = client();

        assertThat(send("PUT", "endpoints/" + id(first) + "/weight", "{\"weight\":0}")
                        .body())
                .isEqualTo("{\"id\":\"" + id(first) + "\",\"weight\":0,\"previousWeight\":1}\n");
        Await.until(
                "the weight is taken",
                () -> Long.valueOf(0).equals(get("endpoints/" + id(first)).get("weight")));

        for (int i = 0; i < 10; i++) {
            call(client, second);
        }
        assertThat(first.hasNone()).isTrue();
    }

    @Test
    void theWeightIsWrittenToTheRegistryWhereAllAgentsReadIt() throws Exception {
        ProviderPeer provider = provider(180);
        Path entry = folder.resolve("a.B/127.0.0.1_" + provider.port());
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "{\"weight\":3,\"limit\":7,\"variants\":[{\"version\":\"1.0\",\"group\":\"\"}]}");
        startWithRegistry(Map.of(), "file:" + folder);

        assertThat(send("PUT", "endpoints/" + id(provider) + "/weight", "{\"weight\":5}")
                        .statusCode())
                .isEqualTo(200);

        assertThat(entry).hasContent("{\"weight\":5,\"limit\":7,\"variants\":[{\"version\":\"1.0\",\"group\":\"\"}]}");
        Await.until(
                "the weight is read",
                () -> Long.valueOf(5).equals(get("endpoints/" + id(provider)).get("weight")));
        assertThat(get("endpoints/" + id(provider)).get("services")).isEqualTo(List.of("a.B"));
        Files.delete(entry);
        assertThat(send("PUT", "endpoints/" + id(provider) + "/weight", "{\"weight\":4}")
                        .body())
                .contains("\"status\":409", "the weight was not changed: no file of " + id(provider));
    }

    @Test
    void drainingEndsConnectionsWithTheirNextAnswerAndIsUndone() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);

        assertThat(send("POST", "drain", "").body())
                .isEqualTo("{\"draining\":true,\"callsInFlight\":0,\"connections\":0}\n");
        HttpClient plain = HttpClient.newHttpClient();
        HttpRequest readyz = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + "/readyz"))
                .build();
        assertThat(plain.send(readyz, BodyHandlers.ofString()).body())
                .isEqualTo("draining, as an operator asked for\n");
        assertThat(answer(provider).headers()).containsEntry("connection", "close");

        assertThat(send("DELETE", "drain", "").body()).contains("\"draining\":false");
        assertThat(plain.send(readyz, BodyHandlers.ofString()).body()).isEqualTo("ready\n");
        assertThat(answer(provider).headers()).doesNotContainKey("connection");
    }

    private HttpAnswer answer(ProviderPeer provider) throws Exception {
        HttpSocket client = client();
        client.send(Requests.form("x"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "y");
        return client.answer();
    }

    @Test
    void callsThatFailedAreToldWithTheirMethodEndpointAndReason() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("http.endpoint-header", "never"), provider);
        HttpSocket client = client();
        client.send(Requests.form("x").repeat(2));
        for (int i = 1; i <= 2; i++) {
            provider.answer(
                    provider.nextRequest(), 33, Flags.JSON, "{\"status\":502,\"detail\":\"the provider is on fire\"}");
            assertThat(client.answer().status()).isEqualTo(502);
        }
        call(client, provider);
        assertThat(client.call("GET /x/y/z HTTP/1.1\r\nHost: mesh\r\n\r\n").status())
                .isEqualTo(404);

        List<Object> failures = list("failures", "failures");
        assertThat(failures).hasSize(2);
        Map<?, ?> noCall = (Map<?, ?>) failures.get(0);
        assertThat(noCall.get("code")).isEqualTo("NOT_FOUND");
        assertThat(noCall.containsKey("service")).isFalse();
        assertThat(noCall.containsKey("endpoint")).isFalse();
        Map<?, ?> failure = (Map<?, ?>) failures.get(1);
        assertThat(failure.get("code")).isEqualTo("PROVIDER_ERROR");
        assertThat(failure.get("status")).isEqualTo(502L);
        assertThat(failure.get("service")).isEqualTo("a.B");
        assertThat(failure.get("method")).isEqualTo("m");
        assertThat(failure.get("endpoint")).isEqualTo(id(provider));
        assertThat(failure.get("count")).isEqualTo(2L);
        assertThat(failure.get("reason")).isEqualTo("the provider is on fire");
    }

    @Test
    void aPageThatMayNotCallIsAmongTheFailuresWithTheSetting() throws Exception {
        start(Map.of("http.cors.origins", "https://app.example"), provider(180));
        client().call(Requests.form("x", "Origin: https://other.example")).assertProblem(403, "FORBIDDEN");
        client().call("OPTIONS /a.B/m HTTP/1.1\r\nHost: a\r\nOrigin: https://other.example\r\n"
                        + "Access-Control-Request-Method: POST\r\n\r\n")
                .assertProblem(403, "FORBIDDEN");

        List<Object> failures = list("failures", "failures");

        assertThat(failures).hasSize(1);
        Map<?, ?> failure = (Map<?, ?>) failures.get(0);
        assertThat(failure.get("code")).isEqualTo("FORBIDDEN");
        assertThat(failure.get("status")).isEqualTo(403L);
        assertThat(failure.get("count")).isEqualTo(2L);
        assertThat(failure.get("reason")).isEqualTo("Origin (expected: one of http.cors.origins)");
    }

    @Test
    void aClientOfHttp2IsAmongTheFailuresWithTheReason() throws Exception {
        start(Map.of(), provider(180));
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
            client.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
            client.getInputStream().readAllBytes();
        }

        List<Object> failures = list("failures", "failures");

        assertThat(failures).hasSize(1);
        Map<?, ?> failure = (Map<?, ?>) failures.get(0);
        assertThat(failure.get("code")).isEqualTo("VERSION_NOT_SUPPORTED");
        assertThat(failure.get("reason"))
                .isEqualTo("HTTP/2 with prior knowledge"
                        + " (expected: HTTP/1.1, as of curl --http1.1; HTTP/2 is not spoken at this port)");
    }

    @Test
    void anEventLoopThatDoesNotAnswerIs503() throws Exception {
        start(Map.of(), provider(180));
        CompletableFuture<Void> end = blockLoop();
        try {
            assertThat(send("GET", "state", "").body())
                    .contains("\"status\":503", "an event loop did not answer within 1 s");
        } finally {
            end.complete(null);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/api/v1/config", "/api/v1/failures", "/api/v1/services", "/api/v1/state"})
    void aPageWhoseNameWasMadeToPointHereReadsNothing(String path) throws Exception {
        startWithPorts(SETTINGS, 1);

        assertThat(status(path, "evil.example:20001")).isEqualTo(403);
        assertThat(status(path, "127.0.0.1:" + adminPort())).isEqualTo(200);
        assertThat(status(path, "[::1]:" + adminPort())).isEqualTo(200);
        assertThat(status(path, "localhost:" + adminPort())).isEqualTo(200);
    }

    private int status(String path, String host) throws Exception {
        return HttpSocket.once(adminPort(), "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                .status();
    }

    @Test
    void theSettingsInForceHaveTheirOrigins() throws Exception {
        start(Map.of("lb.slow-start", "3 s"), provider(180));

        assertThat(list("config", "settings"))
                .contains(Map.of(
                        "key", "lb.slow-start",
                        "value", "3 s",
                        "defaultValue", "10 s",
                        "origin", "-Dlb.slow-start"))
                .contains(Map.of("key", "queue.size", "value", "1024", "defaultValue", "1024", "origin", "default"));
    }

    @Test
    void anEndpointThatHasLapsedKeepsItsWeightButTakesNoOther() throws Exception {
        ProviderPeer provider = provider(180);
        Path entry = folder.resolve("a.B/127.0.0.1_" + provider.port());
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "3");
        startWithRegistry(Map.of(), "file:" + folder);
        HttpSocket client = client();
        call(client, provider);
        call(client, provider);
        Files.delete(entry);
        Await.untilAsserted(
                Duration.ofSeconds(10),
                () -> assertThat(get("endpoints/" + id(provider)).get("listed")).isEqualTo(false));

        assertThat(get("endpoints/" + id(provider)).get("weight")).isEqualTo(3L);
        assertThat(send("PUT", "endpoints/" + id(provider) + "/weight", "{\"weight\":5}")
                        .statusCode())
                .isEqualTo(409);
    }

    @Test
    void callsAreCountedByMethodAndByEndpoint() throws Exception {
        ProviderPeer provider = provider(7);
        start(SETTINGS, provider);
        HttpSocket client = client();
        call(client, provider);
        call(client, provider);

        Await.until("both calls are counted", () -> get("counts").get("calls").equals(2L));
        Map<?, ?> counts = get("counts");

        assertThat(counts.get("failed")).isEqualTo(0L);
        assertThat(counts.get("methods")).asString().contains("service=a.B, method=m, calls=2, failed=0, failures={}");
        assertThat(counts.get("endpoints"))
                .isEqualTo(
                        List.of(Map.of("id", id(provider), "calls", 2L, "failed", 0L, "refused", 0L, "inFlight", 0L)));
        assertThat(get("services").get("services")).asString().containsPattern("callsInFlight=0, calls=[12]}");
        assertThat(get("history").get("intervalSeconds")).isEqualTo(5L);
        assertThat(list("history", "calls")).hasSize(60);
    }

    @Test
    void anOperatorsCallGoesToTheAgentsOwnPort() throws Exception {
        ProviderPeer provider = provider(7);
        start(SETTINGS, provider);
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/call"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(
                                "{\"service\":\"a.B\",\"method\":\"c\",\"version\":\"1.0\",\"parameterTypes\":[\"java.lang.String\",\"long\"],"
                                        + "\"arguments\":\"[\\\"x y\\\", 12345678901234567890]\",\"timeoutMs\":9000}"))
                        .build(),
                BodyHandlers.ofString());

        ProviderPeer.Received request = provider.nextRequest();
        provider.answer(request, 0, Flags.JSON, "{\"a\":1}");

        Map<?, ?> document = (Map<?, ?>) Json.read(answer.get().body());
        assertThat(document.get("status")).isEqualTo(200L);
        assertThat(document.get("url")).isEqualTo("http://127.0.0.1:" + port() + "/a.B/c?version=1.0");
        assertThat(document.get("body")).isEqualTo("{\"a\":1}");
        assertThat(document.get("truncated")).isEqualTo(false);
        assertThat(request.body()).contains(Hex.text("[\"x y\", 12345678901234567890]"));
    }

    @Test
    void anOperatorsCallGoesThroughNoProxyOfTheProcess() throws Exception {
        ProviderPeer provider = provider(7);
        start(SETTINGS, provider);
        ProxySelector before = ProxySelector.getDefault();
        // The effect of -Dhttp.proxyHost for hosts that -Dhttp.nonProxyHosts does not name.
        ProxySelector.setDefault(ProxySelector.of(new InetSocketAddress("127.0.0.1", 1)));
        CompletableFuture<HttpResponse<String>> answer;
        try {
            answer = http.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/call"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"service\":\"a.B\",\"method\":\"c\"}"))
                            .build(),
                    BodyHandlers.ofString());
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "1");
        } finally {
            ProxySelector.setDefault(before);
        }

        assertThat(((Map<?, ?>) Json.read(answer.get().body())).get("status")).isEqualTo(200L);
    }

    @Test
    void anOperatorsCallThatIsNoneIsRefused() throws Exception {
        start(SETTINGS, provider(7));

        assertThat(send("POST", "call", "{\"method\":\"c\"}").body()).contains("service: missing");
        assertThat(send("POST", "call", "{\"service\":\"a.B\",\"method\":\"c\",\"arguments\":\"{}\"}")
                        .body())
                .contains("arguments: {} (expected: the text of a JSON array)");
        assertThat(send("POST", "call", "{\"service\":\"a.B\",\"method\":\"c\",\"parameterTypes\":[\"a\\r\\nb\"]}")
                        .body())
                .contains("expected: an array of names of Java types");
    }
}
