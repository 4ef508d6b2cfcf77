package io.dubbomesh.consumer;

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
        Path entry = directory.resolve("a.B").resolve("127.0.0.1_" + peer.port());
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "{\"weight\":1,\"variants\":" + variants + '}');
        return peer;
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
                .contains(
                        "no provider agent serves a.B with version \\\"\\\" and group \\\"\\\" (served: version \\\"1.0\\\""
                                + " and group \\\"blue\\\"; version \\\"2.0\\\" and group \\\"red\\\")");
    }
}
