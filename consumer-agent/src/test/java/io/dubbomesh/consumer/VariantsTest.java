package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of one, several or any version and group of a service. */
class VariantsTest extends AgentTest {
    private static final int CALLS = 20;

    @TempDir
    private Path directory;

    private ServingPeer blue;
    private ServingPeer red;

    @BeforeEach
    void start() throws Exception {
        blue = registered("[{\"version\":\"1.0\",\"group\":\"blue\"}]");
        red = registered("[{\"version\":\"2.0\",\"group\":\"red\"}]");
        startWithRegistry(Map.of("lb.slow-start", "0"), "file:" + directory);
    }

    private ServingPeer registered(String variants) throws IOException {
        ServingPeer peer = opened(new ServingPeer());
        register(peer, variants);
        return peer;
    }

    private void register(ServingPeer peer, String variants) throws IOException {
        Path entry = directory.resolve("a.B").resolve("127.0.0.1_" + peer.port());
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "{\"weight\":1,\"variants\":" + variants + '}');
    }

    @ParameterizedTest
    @CsvSource({
        "version=1.0&group=blue, 20, 0",
        "version=2.0&group=red, 0, 20",
        "version=*&group=red, 0, 20",
        "version=1.0&group=*, 20, 0",
        "version=*&group=*, 10, 10",
        "version=*&group=green%2Cred, 0, 20",
        "version=*&group=red%2Cblue, 10, 10"
    })
    void aCallGoesToTheEndpointsThatItMayMean(String query, int toBlue, int toRed) throws Exception {
        HttpSocket client = client();
        // The balancer is kept from the second call on.
        call(client, query);
        int blueBefore = blue.requests();
        int redBefore = red.requests();
        for (int i = 0; i < CALLS; i++) {
            call(client, query);
        }
        assertThat(blue.requests() - blueBefore).isEqualTo(toBlue);
        assertThat(red.requests() - redBefore).isEqualTo(toRed);
    }

    private static void call(HttpSocket client, String query) throws IOException {
        client.send(Requests.json("/a.B/m?" + query, "[\"a\"]"));
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @Test
    void whatNobodyServesIsAnsweredWithWhatIsServed() throws Exception {
        HttpSocket client = client();
        client.send(Requests.json("/a.B/m", "[]"));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text())
                .contains("no provider serves a.B with version \\\"\\\" and group \\\"\\\" (served: version \\\"1.0\\\""
                        + " and group \\\"blue\\\"; version \\\"2.0\\\" and group \\\"red\\\")");
    }

    /** An earlier call is no reason to answer otherwise than an agent that starts now. */
    @Test
    void aVersionThatHasGoneIsAnsweredWithWhatIsServedNow() throws Exception {
        HttpSocket client = client();
        call(client, "version=2.0&group=red");

        register(red, "[{\"version\":\"5.0\",\"group\":\"red\"}]");

        Await.untilAsserted(Duration.ofSeconds(10), () -> {
            client.send(Requests.json("/a.B/m?version=2.0&group=red", "[\"a\"]"));
            HttpAnswer answer = client.answer();
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains("version \\\"5.0\\\" and group \\\"red\\\")");
        });
    }

    @Test
    void theAdminInterfaceNamesWhatIsServedBeforeAnyCall() throws Exception {
        assertThat(HttpSocket.once(adminPort(), "GET /api/v1/services HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        .text())
                .contains("\"served\":[{\"version\":\"1.0\",\"group\":\"blue\"},"
                        + "{\"version\":\"2.0\",\"group\":\"red\"}]");
    }
}
