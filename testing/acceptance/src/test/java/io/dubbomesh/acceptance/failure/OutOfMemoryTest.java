package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** An agent that may take more memory than there is does not live on without serving. */
@Timeout(120)
class OutOfMemoryTest {
    private static final int CLIENTS = 40;

    @Test
    void anAgentEndsWhenItsDirectMemoryIsUsedUp() throws Exception {
        Agent agent = Mesh.named("OutOfMemoryTest")
                .consumerAgent(
                        "consumer-agent",
                        "static:127.0.0.1:1",
                        Map.of("memory.budget", "1 GiB", "io.netty.maxDirectMemory", String.valueOf(16 << 20)));
        agent.awaitReady();
        String request = Form.post(Form.hash("x".repeat(1_000_000)));
        List<HttpSocket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS && agent.process().isAlive(); i++) {
                upload(agent, request.substring(0, request.length() - 1), clients);
            }
            assertThat(agent.process().awaitExit(Duration.ofSeconds(30))).isEqualTo(3);
        } finally {
            agent.process().kill();
            for (HttpSocket client : clients) {
                client.close();
            }
        }
        assertThat(agent.process().output().lines())
                .last()
                .asString()
                .contains("AgentProcess: ending: out of memory: ")
                .contains("memory.budget");
    }

    private static void upload(Agent agent, String part, List<HttpSocket> clients) {
        try {
            HttpSocket client = new HttpSocket(agent.port());
            clients.add(client);
            client.send(part);
        } catch (IOException e) {
            // The agent has ended.
        }
    }
}
