package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls follow what provider agents with {@code lb.weight=auto} say that their providers can execute. */
class AutomaticWeightTest extends AgentTest {
    @TempDir
    Path directory;

    @Test
    void callsAreSpreadByCapacity() throws Exception {
        ServingPeer small = opened(new ServingPeer());
        ServingPeer large = opened(new ServingPeer());
        register(small, 1000);
        register(large, 3000);
        startWithRegistry(Map.of("lb.slow-start", "0"), "file:" + directory);

        serve(80);
        assertThat(small.requests()).isEqualTo(20);
        assertThat(large.requests()).isEqualTo(60);

        register(small, 3000);
        HttpSocket client = client();
        Await.until("both have as many", () -> {
            int before = small.requests();
            for (int i = 0; i < 10; i++) {
                assertThat(client.call(Requests.form("12345678")).status()).isEqualTo(200);
            }
            return small.requests() == before + 5;
        });
    }

    private void register(ServingPeer peer, int capacity) throws Exception {
        Path entry = directory.resolve("a.B").resolve("127.0.0.1_" + peer.port());
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "{\"weight\":1,\"capacity\":" + capacity + "}");
    }

    private void serve(int calls) throws Exception {
        HttpSocket client = client();
        for (int i = 0; i < calls; i++) {
            assertThat(client.call(Requests.form("12345678")).status()).isEqualTo(200);
        }
    }
}
