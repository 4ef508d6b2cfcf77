package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The text of a failure says what an operator needs: which endpoints there are, what is wrong with each, and where the
 * time went.
 */
class ExplainedFailureTest extends AgentTest {
    private static final String AGO = ", (\\d+ ms|\\d+ s) ago";

    @TempDir
    private Path directory;

    private void register(String service, int port, int weight) throws IOException {
        Path entry = directory.resolve(service).resolve("127.0.0.1_" + port);
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, Integer.toString(weight));
    }

    private static int deadPort() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return listener.getLocalPort();
        }
    }

    @Test
    void noProviderNamesTheEndpointsAndWhyEachTakesNoCall() throws Exception {
        int resting = provider(180).port();
        int dead = deadPort();
        register("a.B", resting, 0);
        register("a.B", dead, 1);
        startWithRegistry(Map.of(), "file:" + directory);

        HttpAnswer answer = answer(Requests.json("/a.B/m", "[]"));
        String detail = answer.assertProblem(503, "NO_PROVIDER").get("detail");
        assertThat(detail)
                .startsWith("no endpoint of a.B takes calls; 2 endpoints: ")
                .contains("127.0.0.1:" + resting + ": weight 0")
                .containsPattern("127\\.0\\.0\\.1:" + dead + ": Connection refused" + AGO);
        assertThat(answer.headers()).doesNotContainKey("x-mesh-endpoint");
    }

    @Test
    void onlySomeOfManyEndpointsAreNamed() throws Exception {
        for (int i = 0; i < 6; i++) {
            register("a.B", deadPort(), 0);
        }
        startWithRegistry(Map.of(), "file:" + directory);

        assertThat(answer(Requests.json("/a.B/m", "[]"))
                        .assertProblem(503, "NO_PROVIDER")
                        .get("detail"))
                .contains("6 endpoints: ")
                .endsWith("; and 2 more");
    }

    @Test
    void anUnknownServiceIsComparedWithTheRegisteredOnes() throws Exception {
        register("com.example.api.Greeter", deadPort(), 1);
        startWithRegistry(Map.of(), "file:" + directory);

        assertThat(answer(Requests.json("/com.example.greeter/m", "[]"))
                        .assertProblem(404, "SERVICE_NOT_FOUND")
                        .get("detail"))
                .isEqualTo("service com.example.greeter was never registered (registered: com.example.api.Greeter)");
        assertThat(answer(Requests.json("/com.example.Other/m", "[]"))
                        .assertProblem(404, "SERVICE_NOT_FOUND")
                        .get("detail"))
                .isEqualTo("service com.example.Other was never registered");
        assertThat(answer("GET /favicon.ico HTTP/1.1\r\nHost: a\r\n\r\n")
                        .assertProblem(404, "SERVICE_NOT_FOUND")
                        .get("detail"))
                .isEqualTo("service favicon.ico was never registered"
                        + " (there are GET and POST /, GET /openapi.json, GET /{interface}, GET and POST /{interface}/{method};"
                        + " metrics, health and the admin interface are at admin.port)");
        assertThat(answer("GET /greeter?version=1.0 HTTP/1.1\r\nHost: a\r\n\r\n")
                        .assertProblem(404, "SERVICE_NOT_FOUND")
                        .get("detail"))
                .isEqualTo("service greeter was never registered (registered: com.example.api.Greeter)"
                        + " (there are GET and POST /, GET /openapi.json, GET /{interface}, GET and POST /{interface}/{method};"
                        + " metrics, health and the admin interface are at admin.port)");
    }

    @Test
    void aTimeoutNamesTheEndpointAndTheTimes() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);

        HttpAnswer answer = answer(Requests.form("hi", "X-Request-Timeout: 200"));
        assertThat(answer.assertProblem(504, "TIMEOUT").get("detail"))
                .matches(
                        "no answer before the deadline, 200 ms after the request \\(X-Request-Timeout\\): sent to 127\\.0\\.0\\.1:"
                                + provider.port() + " 2\\d\\d ms ago, having waited \\d+ ms");
        assertThat(answer.header("x-mesh-endpoint")).isEqualTo("127.0.0.1:" + provider.port());
    }

    @Test
    void aTimeoutInTheQueueSaysWhatTheCallWaitedFor() throws Exception {
        ProviderPeer provider = provider(1);
        start(Map.of("queue.burst", "5 s"), provider);
        HttpSocket busy = client();
        busy.send(Requests.form("1", "X-Request-Timeout: 30000"));
        provider.nextRequest();

        HttpAnswer answer = answer(Requests.form("2", "X-Request-Timeout: 150"));
        assertThat(answer.assertProblem(504, "TIMEOUT").get("detail"))
                .matches(
                        "no answer before the deadline, 150 ms after the request \\(X-Request-Timeout\\): waited \\d+ ms for an endpoint with room;"
                                + " 1 endpoint: 127\\.0\\.0\\.1:" + provider.port()
                                + ": 1 of this agent's calls in flight, limit 1");
        assertThat(answer.headers()).doesNotContainKey("x-mesh-endpoint");
    }

    @Test
    void aSecondRefusalSaysSo() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer two = provider(180);
        start(Map.of(), one, two);
        HttpSocket client = client();

        client.send(Requests.form("hi"));
        ProviderPeer first = awaitRequest(one, two);
        ProviderPeer second = first == one ? two : one;
        second.refuse(second.nextRequest());

        assertThat(client.answer().assertProblem(503, "OVERLOADED").get("detail"))
                .isEqualTo("refused by 127.0.0.1:" + second.port() + ", its second endpoint");
    }

    /** Refuses the request that one of them gets; returns which one. */
    private static ProviderPeer awaitRequest(ProviderPeer one, ProviderPeer two) throws Exception {
        while (one.hasNone() && two.hasNone()) {
            Thread.onSpinWait();
        }
        ProviderPeer first = one.hasNone() ? two : one;
        first.refuse(first.nextRequest());
        return first;
    }

    @Test
    void aProviderAgentsDocumentGetsAnIdAndThePageOfItsCode() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("http.errors-page", "https://docs.example/errors"), provider);
        HttpSocket client = client();

        client.send(Requests.form("hi"));
        provider.answer(
                provider.nextRequest(),
                Outcome.SERVICE_EXCEPTION.number(),
                Flags.JSON,
                "{\"status\":500,\"code\":\"SERVICE_EXCEPTION\"}");
        assertThat(client.answer().text())
                .matches("\\{\"status\":500,\"code\":\"SERVICE_EXCEPTION\","
                        + "\"type\":\"https://docs\\.example/errors#service_exception\",\"instance\":\"urn:uuid:[0-9a-f]{8}"
                        + "-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\"}");
    }

    @ParameterizedTest
    @CsvSource({"failures, false, true", "always, true, true", "never, false, false"})
    void theSettingSaysWhichAnswersNameTheEndpoint(String setting, boolean good, boolean bad) throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("http.endpoint-header", setting), provider);
        HttpSocket client = client();
        String endpoint = "127.0.0.1:" + provider.port();

        client.send(Requests.form("hi"));
        provider.answer(provider.nextRequest(), Outcome.OK.number(), Flags.TEXT, "1");
        assertThat(client.answer().header("x-mesh-endpoint")).isEqualTo(good ? endpoint : null);
        client.send(Requests.form("hi"));
        provider.answer(provider.nextRequest(), Outcome.PROVIDER_ERROR.number(), Flags.JSON, "{}");
        assertThat(client.answer().header("x-mesh-endpoint")).isEqualTo(bad ? endpoint : null);
        client.send(Requests.json("/no/path/of/ours", "[]"));
        assertThat(client.answer().headers()).doesNotContainKey("x-mesh-endpoint");
    }
}
