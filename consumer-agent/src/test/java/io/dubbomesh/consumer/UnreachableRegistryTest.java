package io.dubbomesh.consumer;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** An agent whose registry has never answered. */
@Timeout(60)
class UnreachableRegistryTest {
    @Test
    void aCallAndTheProbeNameTheRegistryWithoutItsOptions(@TempDir Path directory) throws Exception {
        Path user = Files.writeString(directory.resolve("user"), "mesh\npassword\n");
        ConsumerAgent agent = new ConsumerAgent(Settings.of(
                ConsumerSettings.REFERENCE,
                Map.of(
                        "registry", "etcd://127.0.0.1:1?username-file=" + user,
                        "server.port", "0",
                        "admin.port", "0",
                        "io.threads", "1"),
                Map.of()));
        try {
            String registry = "the registry etcd://127.0.0.1:1?username-file=... has not answered since the start";
            HttpAnswer call = HttpSocket.once(agent.port(), Requests.json("/a.B/m", "[]"));
            assertThat(call.status()).isEqualTo(503);
            assertThat(call.text()).contains("NO_PROVIDER", registry).doesNotContain(user.toString());
            assertThat(HttpSocket.once(agent.adminPort(), HttpSocket.request("GET /readyz", ""))
                            .text())
                    .contains(registry)
                    .doesNotContain(user.toString());
        } finally {
            agent.stop(0);
        }
    }
}
