package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two consumer agents in the zone north, a provider there that executes four calls of 20 ms at once, and one in the
 * zone south, of three times the weight.
 */
@Timeout(120)
class ZonesTest {
    private static final int NEAR = 0;
    private static final int FAR = 1;
    private static final Duration A_WHILE = Duration.ofSeconds(15);

    private static Mesh mesh;
    private static final List<Dubbo> DUBBOS = new ArrayList<>();
    private static final List<Agent> PROVIDER_AGENTS = new ArrayList<>();
    private static final List<Agent> CONSUMER_AGENTS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("ZonesTest");
        for (String zone : List.of("north", "south")) {
            DUBBOS.add(mesh.provider(Jvm.STUB, "provider-" + zone, Map.of("delay.ms", "20")));
        }
        String registry = mesh.etcd().uri();
        PROVIDER_AGENTS.add(providerAgent(NEAR, registry, Map.of("zone", "north", "lb.limit", "4")));
        PROVIDER_AGENTS.add(providerAgent(FAR, registry, Map.of("zone", "south", "lb.weight", "3")));
        for (Agent agent : PROVIDER_AGENTS) {
            agent.awaitReady();
        }
        for (int i = 1; i <= 2; i++) {
            CONSUMER_AGENTS.add(mesh.consumerAgent(
                    "consumer-agent-" + i,
                    registry,
                    Map.of("zone", "north", "lb.slow-start", "0 s", "queue.burst", "5 s", "io.threads", "1")));
        }
        for (Agent agent : CONSUMER_AGENTS) {
            agent.awaitReady();
            Load.warmUp(agent.port());
        }
    }

    private static Agent providerAgent(int index, String registry, Map<String, String> settings) throws Exception {
        DUBBOS.get(index).awaitListening();
        return mesh.providerAgent("provider-agent-" + index, DUBBOS.get(index).port(), registry, settings);
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    @Test
    void callsStayInTheZoneSpillWhenItIsFullAndFailOverWhenItIsDrained() throws Exception {
        assertThat(executed(1, 30)).as("one client of each agent").containsExactly(60, 0);

        // Each agent alone would give the near one no more than four; that they are two, its answers tell.
        int[] spilled = executed(8, 40);
        assertThat(spilled[NEAR]).as("four of sixteen at once").isBetween(64, 320);
        assertThat(spilled[NEAR] + spilled[FAR]).isEqualTo(640);

        PROVIDER_AGENTS.get(NEAR).admin("POST drain", "");
        Await.until(A_WHILE, "calls go elsewhere", () -> executed(1, 5)[FAR] == 10);
        assertThat(executed(4, 10)).containsExactly(0, 80);

        PROVIDER_AGENTS.get(NEAR).admin("DELETE drain", "");
        Await.until(A_WHILE, "calls are back", () -> executed(1, 5)[NEAR] == 10);
    }

    /** Returns how many calls each provider has executed of so many clients of each agent, none of which fails. */
    private static int[] executed(int clients, int callsEach) throws Exception {
        int[] executed = {-DUBBOS.get(NEAR).executed(), -DUBBOS.get(FAR).executed()};
        List<Load> loads = new ArrayList<>();
        for (Agent agent : CONSUMER_AGENTS) {
            loads.add(Load.start(agent.port(), clients, callsEach));
        }
        for (Load load : loads) {
            try (Load ended = load.join()) {
                assertThat(ended.failures()).isEmpty();
            }
        }
        executed[NEAR] += DUBBOS.get(NEAR).executed();
        executed[FAR] += DUBBOS.get(FAR).executed();
        return executed;
    }
}
