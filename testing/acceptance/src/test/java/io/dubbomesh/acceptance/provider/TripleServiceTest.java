package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.ExecutedCalls;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Registration;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Services some of whose providers, or some of whose ports, speak Triple, called by a gateway. */
@Timeout(900)
class TripleServiceTest {
    private static final Duration A_WHILE = Duration.ofSeconds(60);
    /** Dubbo waits for clients that do not leave. */
    private static final Duration TO_END = Duration.ofSeconds(40);

    private static final int CLIENTS = 8;
    private static final int ROUNDS = Selection.isAll() ? 10 : 1;
    private static final String DELAY_MS = "5";

    private Mesh mesh;
    private LocalZooKeeper zooKeeper;

    /** Which protocols a provider of Dubbo 3.3 has at its one port. */
    private enum Shared {
        DUBBO_AND_TRI("dubbo", "tri"),
        TRI_AND_DUBBO("tri", "dubbo");

        private final String protocol;
        private final String further;

        Shared(String protocol, String further) {
            this.protocol = protocol;
            this.further = further;
        }
    }

    static List<Shared> sharedPorts() {
        return Selection.of(Shared.values(), Set.of(Shared.DUBBO_AND_TRI));
    }

    @AfterEach
    void end() throws Exception {
        try {
            mesh.end();
        } finally {
            if (zooKeeper != null) {
                zooKeeper.close();
            }
        }
    }

    @Test
    void providersOfBothProtocolsAreCalledByTheirWeights() throws Exception {
        mesh = Mesh.named("TripleServiceTest-weights");
        Map<String, String> byDubbo = Map.of("delay.ms", DELAY_MS);
        Map<String, String> byTriple = Map.of("delay.ms", DELAY_MS, "protocol", "tri");
        List<Dubbo> providers = List.of(
                mesh.provider(Jvm.STUB, "dubbo-1", byDubbo),
                mesh.provider(Jvm.STUB, "dubbo-2", byDubbo),
                mesh.provider(Jvm.DUBBO_30, "tri-1", byTriple),
                mesh.provider(Jvm.DUBBO, "tri-2", byTriple));
        Agent gateway = mesh.consumerAgent(
                "gateway",
                "static:dubbo://127.0.0.1:" + providers.get(0).port() + "*100,dubbo://127.0.0.1:"
                        + providers.get(1).port() + "*200,tri://127.0.0.1:"
                        + providers.get(2).port() + "*100,tri://127.0.0.1:"
                        + providers.get(3).port() + "*200",
                Map.of("type", "gateway", "lb.slow-start", "0 s"));
        for (Dubbo provider : providers) {
            provider.awaitListening();
        }
        gateway.awaitReady();
        Await.until(A_WHILE, "every provider is called by its weight", () -> {
            int[] spread = spread(providers, gateway, 60);
            return spread[0] == 10 && spread[1] == 20 && spread[2] == 10 && spread[3] == 20;
        });

        int[] spread = spread(providers, gateway, 600);

        assertThat(spread[0]).isCloseTo(100, within(5));
        assertThat(spread[1]).isCloseTo(200, within(10));
        assertThat(spread[2]).isCloseTo(100, within(5));
        assertThat(spread[3]).isCloseTo(200, within(10));
    }

    /** Returns the number of these calls that each provider has executed. */
    private static int[] spread(List<Dubbo> providers, Agent gateway, int calls) throws Exception {
        ExecutedCalls executed = ExecutedCalls.from(providers);
        try (HttpSocket client = new HttpSocket(gateway.port())) {
            for (int i = 0; i < calls; i++) {
                String text = "call " + i;
                client.call(Form.post(Form.hash(text), Form.PATIENT)).assertHash(text);
            }
        }
        return executed.spread();
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("sharedPorts")
    void noCallFailsWhileProvidersWithBothProtocolsAtOnePortAreRestarted(Shared shared) throws Exception {
        mesh = Mesh.named("TripleServiceTest-" + shared);
        zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"));
        Map<String, String> settings = registered();
        settings.put("protocol", shared.protocol);
        settings.put("dubbo.protocol.ext-protocol", shared.further);
        List<Dubbo> providers = List.of(
                mesh.provider(Registration.withClient(Jvm.DUBBO), "provider-1", settings),
                mesh.provider(Registration.withClient(Jvm.DUBBO), "provider-2", settings));
        Agent gateway = gateway(providers);

        ExecutedCalls executed = ExecutedCalls.from(providers);
        try (Load load = Load.startSteady(gateway.port(), CLIENTS)) {
            for (int round = 0; round < ROUNDS; round++) {
                Dubbo restarted = providers.get(round % 2);
                load.awaitMore(200);
                stop(restarted);
                load.awaitMore(200);
                restarted.startAgain();
                awaitCalled(restarted);
            }
            load.stop();
            assertThat(load.failures()).isEmpty();
            executed.assertNoneTwiceAndAllOf(load);
        }
    }

    @Tag("release")
    @Test
    void noCallFailsWhileAProviderChangesItsProtocol() throws Exception {
        mesh = Mesh.named("TripleServiceTest-change");
        zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"));
        Map<String, String> byTriple = registered();
        byTriple.put("protocol", "tri");
        Dubbo staying = mesh.provider(Registration.withClient(Jvm.DUBBO), "staying", registered());
        Dubbo before = mesh.provider(Registration.withClient(Jvm.DUBBO), "before", registered());
        Agent gateway = gateway(List.of(staying, before));

        try (Load load = Load.startSteady(gateway.port(), CLIENTS)) {
            Dubbo after = null;
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitMore(200);
                stop(before);
                if (after == null) {
                    after = mesh.provider(Registration.withClient(Jvm.DUBBO), "after", before.port(), byTriple);
                    after.awaitListening();
                } else {
                    after.startAgain();
                }
                awaitCalled(after);
                load.awaitMore(200);
                stop(after);
                before.startAgain();
                awaitCalled(before);
            }
            load.stop();
            assertThat(load.failures()).isEmpty();
        }
    }

    private Map<String, String> registered() throws Exception {
        Map<String, String> settings = new HashMap<>(Registration.ALL.settings(zooKeeper));
        settings.put("delay.ms", DELAY_MS);
        return settings;
    }

    private Agent gateway(List<Dubbo> providers) throws Exception {
        Agent gateway = mesh.consumerAgent("gateway", zooKeeper.uri(), Map.of("type", "gateway"));
        for (Dubbo provider : providers) {
            provider.awaitListening();
        }
        gateway.awaitReady();
        Await.until(A_WHILE, "both providers are called", () -> {
            int[] spread = spread(providers, gateway, 10);
            return spread[0] > 0 && spread[1] > 0;
        });
        return gateway;
    }

    private static void stop(Dubbo provider) throws Exception {
        provider.process().send(Signal.TERM);
        provider.process().awaitExit(TO_END);
    }

    private static void awaitCalled(Dubbo provider) throws Exception {
        int executed = provider.executed();
        Await.until(A_WHILE, "the provider is called again", () -> provider.executed() > executed + 10);
    }
}
