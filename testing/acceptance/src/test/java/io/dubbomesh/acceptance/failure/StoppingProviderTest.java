package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real provider that is told to stop while its agent is attached: Dubbo waits ten seconds for its clients to be gone,
 * which is when Docker kills it. Only versions that wait; 2.6.1 takes ten seconds in any case.
 *
 * <p>A service that was called lately is waited for by 3.2 and 3.3 for some seconds more, even if the caller is not
 * there any more.
 */
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoppingProviderTest {
    private static final int CALL_MS = 1000;
    /** The call, four seconds in which 2.7 waits for nothing, and what a busy machine needs. */
    private static final Duration TO_END = Duration.ofSeconds(9);

    /** The time that a provider with an agent may take more than one without; a busy machine needs the most of it. */
    private static final Duration MORE = Duration.ofSeconds(2);

    private static final Map<Jvm, Dubbo> PROVIDERS = new EnumMap<>(Jvm.class);
    private static final Map<Jvm, Agent> AGENTS = new EnumMap<>(Jvm.class);
    private static Mesh mesh;

    static List<Jvm> versions() {
        return Jvm.selected(Jvm.DUBBO_2612, Jvm.DUBBO_27, Jvm.DUBBO_32, Jvm.DUBBO);
    }

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("StoppingProviderTest");
        for (Jvm version : versions()) {
            Dubbo provider = mesh.provider(
                    version,
                    "provider-" + version,
                    Map.of("delay.ms", Integer.toString(CALL_MS), "serialization", "hessian2"));
            PROVIDERS.put(version, provider);
            AGENTS.put(
                    version,
                    mesh.providerAgent(
                            "agent-" + version,
                            provider.port(),
                            "file:" + mesh.directory().resolve("registry-" + version),
                            // Two connections to the provider. The test answers no PINGs.
                            Map.of("io.threads", "2", "mesh.heartbeat", "1 h")));
        }
        for (Jvm version : versions()) {
            PROVIDERS.get(version).awaitListening();
            AGENTS.get(version).awaitReady();
        }
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    @ParameterizedTest
    @MethodSource("versions")
    @Order(1)
    void aProviderEndsSoonAfterItsLastAnswerAndIsFoundAgain(Jvm version) throws Exception {
        Dubbo provider = PROVIDERS.get(version);
        Agent agent = AGENTS.get(version);
        List<MeshConnection> links = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            MeshConnection link = MeshConnection.connect(agent.port());
            link.exchangeHellos();
            links.add(link);
        }
        int executed = provider.executed();
        for (MeshConnection link : links) {
            link.send(Agent.hashFrame("a"));
        }
        Await.until(Duration.ofSeconds(10), "the calls are executed", () -> provider.executed() == executed + 2);

        long startNs = System.nanoTime();
        provider.process().send(Signal.TERM);
        for (MeshConnection link : links) {
            assertThat(link.read()).isEqualTo(new MeshFrame(4, 0, MeshFrame.FORM, 1, "0000" + "3937"));
        }
        provider.process().awaitExit(TO_END);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs))
                .as("ms from SIGTERM to the end")
                .isLessThan(TO_END.toMillis());
        assertThat(agent.isReady()).isFalse();

        provider.startAgain();
        agent.awaitReady();
        for (MeshConnection link : links) {
            // The agent is ready with its first connection to the provider; a request of another loop may be given
            // back.
            Await.untilAsserted(Duration.ofSeconds(5), () -> {
                link.send(Agent.hashFrame("a"));
                assertThat(link.read().document()).isEqualTo("97");
            });
            link.close();
        }
    }

    /** The last of them: it leaves the providers ended. */
    @ParameterizedTest
    @MethodSource("versions")
    @Order(2)
    void anAgentThatIsAttachedHoldsUpTheEndOfAProviderNoLongerThanOneThatHasLeft(Jvm version) throws Exception {
        Dubbo provider = PROVIDERS.get(version);
        Agent agent = AGENTS.get(version);
        agent.assertHashByLink("a");
        long attachedMs = msToEnd(provider);

        provider.startAgain();
        agent.awaitReady();
        agent.assertHashByLink("a");
        agent.process().send(Signal.TERM);
        assertThat(agent.process().awaitExit(TO_END)).isZero();
        long aloneMs = msToEnd(provider);
        assertThat(attachedMs).as("ms with an agent; %d without", aloneMs).isLessThan(aloneMs + MORE.toMillis());
    }

    private static long msToEnd(Dubbo provider) throws Exception {
        long startNs = System.nanoTime();
        provider.process().send(Signal.TERM);
        provider.process().awaitExit(TO_END);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }
}
