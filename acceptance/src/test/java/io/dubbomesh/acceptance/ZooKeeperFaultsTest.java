package io.dubbomesh.acceptance;

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

import static org.assertj.core.api.Assertions.assertThat;

/** Three providers that register themselves in a real ZooKeeper, and a gateway under load, while one or the other goes away. */
@Timeout(300)
class ZooKeeperFaultsTest {
    /** Longer than the sessions of the providers, so that their entries end. */
    private static final Duration AWAY = Duration.ofSeconds(Integer.getInteger("zookeeper.away", 13));

    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final Duration A_WHILE = Duration.ofSeconds(60);
    private static final int CLIENTS = 16;

    private static Mesh mesh;
    private static RealZooKeeper zooKeeper;
    private static final List<Dubbo> DUBBOS = new ArrayList<>();
    private static Agent gateway;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("ZooKeeperFaultsTest");
        zooKeeper = RealZooKeeper.start(mesh.directory().resolve("zookeeper"));
        Map<String, String> settings = Registration.ALL.settings(zooKeeper);
        settings.put("delay.ms", "20");
        for (int i = 0; i < 3; i++) {
            DUBBOS.add(mesh.provider(Registration.withClient(Jvm.DUBBO), "provider-" + i, settings));
        }
        gateway = mesh.consumerAgent(
                Jvm.MESH_AGENT,
                "gateway",
                Map.of("type", "gateway", "registry", zooKeeper.uri(), "lb.slow-start", "0 s"));
        for (Dubbo dubbo : DUBBOS) {
            dubbo.awaitListening();
        }
        gateway.awaitReady();
        awaitAllCalled();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        zooKeeper.close();
    }

    private static void awaitAllCalled() throws Exception {
        Await.until(A_WHILE, "every provider is called", () -> {
            ExecutedCalls executed = ExecutedCalls.from(DUBBOS);
            try (HttpSocket client = new HttpSocket(gateway.port())) {
                for (int i = 0; i < 9; i++) {
                    client.call(Form.post(Form.hash("call " + i), Form.PATIENT));
                }
            }
            int[] spread = executed.spread();
            return spread[0] > 0 && spread[1] > 0 && spread[2] > 0;
        });
    }

    @Test
    void noCallFailsWhileZooKeeperIsAwayAndWhenItIsBack() throws Exception {
        ExecutedCalls executed = ExecutedCalls.from(DUBBOS);
        try (Load load = Load.start(gateway.port(), CLIENTS)) {
            load.awaitMore(100);
            zooKeeper.stop();
            callFor(load, AWAY);
            zooKeeper.start();
            callFor(load, AWAY);
            load.stop();
            assertThat(load.failures()).isEmpty();
            executed.assertNoneTwiceAndAllOf(load);
            for (int calls : executed.spread()) {
                assertThat(calls).as("calls of each provider").isGreaterThan(100);
            }
        }
        awaitAllCalled();
    }

    private static void callFor(Load load, Duration time) throws Exception {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < time.toNanos()) {
            load.awaitMore(100);
        }
    }

    @Test
    void aProviderThatIsKilledFailsOnlyItsCallsInFlight() throws Exception {
        ExecutedCalls executed = ExecutedCalls.from(DUBBOS);
        Dubbo killed = DUBBOS.get(1);
        try (Load load = Load.start(gateway.port(), CLIENTS)) {
            load.awaitMore(500);
            long killedNs = System.nanoTime();
            killed.kill();
            load.awaitMore(500);
            load.stop();
            assertThat(load.failures()).hasSizeLessThanOrEqualTo(CLIENTS).allSatisfy(failure -> {
                assertThat(failure.status()).as(failure.what()).isEqualTo(502);
                assertThat(failure.atNs() - killedNs).isLessThan(A_SECOND.toNanos());
            });
            executed.assertNoneTwiceAndAllOf(load);
        }
        killed.startAgain();
        awaitAllCalled();
    }

    @Test
    void noCallFailsWhenAProviderStopsInOrder() throws Exception {
        ExecutedCalls executed = ExecutedCalls.from(DUBBOS);
        Dubbo stopped = DUBBOS.get(2);
        try (Load load = Load.start(gateway.port(), CLIENTS)) {
            load.awaitMore(500);
            stopped.process().send(Signal.TERM);
            stopped.process().awaitExit(A_WHILE);
            load.awaitMore(500);
            load.stop();
            assertThat(load.failures()).isEmpty();
            executed.assertNoneTwiceAndAllOf(load);
        }
        stopped.startAgain();
        awaitAllCalled();
    }
}
