package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.ExecutedCalls;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Three providers without provider agents, which a gateway calls; {@link ZooKeeperGatewayTest} calls real ones of
 * several versions.
 */
@Timeout(120)
class GatewayTest {
    /** On a busy machine; less than any deadline. */
    private static final Duration AT_ONCE = Duration.ofSeconds(4);

    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private static Mesh mesh;
    private static final List<Dubbo> DUBBOS = new ArrayList<>();
    private static Agent gateway;
    private static Agent mixed;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("GatewayTest");
        for (int i = 1; i <= 3; i++) {
            DUBBOS.add(mesh.provider(Jvm.STUB, "provider-" + i, Map.of("delay.ms", "5")));
        }
        gateway = mesh.consumerAgent(
                Jvm.MESH_AGENT,
                "gateway",
                Map.of(
                        "type",
                        "gateway",
                        "lb.slow-start",
                        "0 s",
                        "registry",
                        "static:" + DUBBOS.stream().map(GatewayTest::direct).collect(Collectors.joining(","))));
        for (Dubbo dubbo : DUBBOS) {
            dubbo.awaitListening();
        }
        Agent providerAgent =
                mesh.providerAgent("provider-agent", DUBBOS.get(2).port(), "static:127.0.0.1:1", Map.of());
        mixed = mesh.consumerAgent(
                "mixed",
                "static:127.0.0.1:" + providerAgent.port() + "*2," + direct(DUBBOS.get(0)) + "*100,"
                        + direct(DUBBOS.get(1)) + "*200",
                Map.of("lb.slow-start", "0 s"));
        gateway.awaitReady();
        providerAgent.awaitReady();
        mixed.awaitReady();
        Load.warmUp(gateway.port());
        Load.warmUp(mixed.port());
    }

    private static String direct(Dubbo dubbo) {
        return "dubbo://127.0.0.1:" + dubbo.port();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    /** Returns the number of these calls that each provider has executed. */
    private static int[] spreadOf(int calls, int port) throws Exception {
        ExecutedCalls executed = ExecutedCalls.from(DUBBOS);
        try (HttpSocket client = new HttpSocket(port)) {
            for (int i = 0; i < calls; i++) {
                String text = "call " + i;
                client.call(Form.post(Form.hash(text), Form.PATIENT)).assertHash(text);
            }
        }
        return executed.spread();
    }

    @Test
    void callsAreSpreadAlike() throws Exception {
        Await.until(A_WHILE, "every provider is called", () -> spreadOf(30, gateway.port())[2] == 10);
        assertThat(spreadOf(300, gateway.port())).containsExactly(100, 100, 100);
    }

    @Test
    void aServiceWithAndWithoutProviderAgentsKeepsItsWeights() throws Exception {
        Await.until(A_WHILE, "every provider is called", () -> spreadOf(50, mixed.port())[2] == 20);
        int[] spread = spreadOf(500, mixed.port());
        assertThat(spread[0]).isCloseTo(100, within(5));
        assertThat(spread[1]).isCloseTo(200, within(10));
        assertThat(spread[2]).isCloseTo(200, within(10));
    }

    @Test
    void aProviderThatIsKilledFailsOnlyItsCallsInFlightAndNoneIsExecutedTwice() throws Exception {
        int clients = 32;
        Dubbo killed = DUBBOS.get(1);
        ExecutedCalls executed = ExecutedCalls.from(DUBBOS);
        try (Load load = Load.startSteady(gateway.port(), clients)) {
            load.awaitMore(500);
            long killedNs = System.nanoTime();
            killed.kill();
            load.awaitMore(500);
            load.stop();
            assertThat(load.failures()).hasSizeLessThanOrEqualTo(clients).allSatisfy(failure -> {
                assertThat(failure.status()).as(failure.what()).isEqualTo(502);
                assertThat(failure.atNs() - killedNs).isLessThan(AT_ONCE.toNanos());
            });
            executed.assertNoneTwiceAndAllOf(load);
        }
        killed.startAgain();
        Await.until(A_WHILE, "the provider is called again", () -> spreadOf(30, gateway.port())[1] == 10);
    }
}
