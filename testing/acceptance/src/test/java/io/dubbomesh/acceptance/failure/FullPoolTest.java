package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real providers with a pool that is much smaller than the limit of their agent, which refuse what they have no thread
 * for, or lose it.
 */
@Timeout(240)
class FullPoolTest {
    private static final int CALLS = 200;
    private static final long DEADLINE_MS = 3000;
    /** The time by which an answer may be late on a machine that has other things to do. */
    private static final long LATE_MS = 1000;

    private Mesh mesh;

    @AfterEach
    void end() throws Exception {
        mesh.end();
    }

    static List<Jvm> versions() {
        return Jvm.selected(Jvm.DUBBO_26, Jvm.DUBBO_27, Jvm.DUBBO);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void twoHundredCallsOnOneThreadAreAllAnsweredInTimeAndTheAgentGoesOn(Jvm kind) throws Exception {
        mesh = Mesh.named("FullPoolTest-" + kind);
        Dubbo provider = mesh.provider(kind, "provider", Map.of("threads", "1", "delay.ms", "500"));
        String registry = mesh.etcd().uri();
        provider.awaitListening();
        Agent providerAgent =
                mesh.providerAgent("provider-agent", provider.port(), registry, Map.of("lb.limit", "" + CALLS));
        providerAgent.awaitReady();
        Agent consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();
        assertThat(HttpSocket.once(consumerAgent.port(), Form.post(Form.hash("warm up"), Form.PATIENT))
                        .status())
                .isEqualTo(200);

        List<HttpSocket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CALLS; i++) {
                clients.add(new HttpSocket(consumerAgent.port()));
            }
            long startNs = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                clients.get(i).send(Form.post(Form.hash("call " + i), "X-Request-Timeout: " + DEADLINE_MS));
            }
            int right = 0;
            for (int i = 0; i < CALLS; i++) {
                HttpAnswer answer = clients.get(i).answer();
                assertThat(answer.status()).as(answer.toString()).isIn(200, 503, 504);
                if (answer.status() == 200) {
                    answer.assertHash("call " + i);
                    right++;
                }
            }
            assertThat((System.nanoTime() - startNs) / 1_000_000).isLessThan(DEADLINE_MS + LATE_MS);
            assertThat(right).isBetween(1, (int) (DEADLINE_MS / 500) + 1);
        } finally {
            for (HttpSocket client : clients) {
                client.close();
            }
        }
        // Permits of calls that the provider has lost come back, one by one for a call at a time.
        Await.until(
                Duration.ofSeconds(20),
                "calls are executed again",
                () -> HttpSocket.once(consumerAgent.port(), Form.post(Form.hash("after")))
                                .status()
                        == 200);
    }
}
