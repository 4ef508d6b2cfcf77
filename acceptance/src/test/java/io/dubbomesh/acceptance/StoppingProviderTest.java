package io.dubbomesh.acceptance;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.testsupport.MeshFrame.formBody;
import static io.dubbomesh.testsupport.MeshFrame.names;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real provider that is told to stop while its agent is attached: Dubbo waits ten seconds for its clients to be gone,
 * which is when Docker kills it. Only versions that wait; 2.6.1 takes ten seconds in any case.
 */
@Timeout(180)
class StoppingProviderTest {
    private static final int CALL_MS = 1000;
    /** The call, four seconds in which 2.7 waits for nothing, and what a busy machine needs. */
    private static final Duration TO_END = Duration.ofSeconds(9);

    private static final Map<Jvm, Dubbo> PROVIDERS = new EnumMap<>(Jvm.class);
    private static final Map<Jvm, Agent> AGENTS = new EnumMap<>(Jvm.class);
    private static Mesh mesh;

    static Set<Jvm> versions() {
        return Set.of(Jvm.DUBBO_2612, Jvm.DUBBO_27, Jvm.DUBBO_32);
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
    void aProviderEndsSoonAfterItsLastAnswerAndIsFoundAgain(Jvm version) throws Exception {
        Dubbo provider = PROVIDERS.get(version);
        Agent agent = AGENTS.get(version);
        List<MeshConnection> links = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            MeshConnection link = MeshConnection.connect(agent.port());
            link.exchangeHellos();
            links.add(link);
        }
        for (MeshConnection link : links) {
            link.send(hash("a"));
        }
        Await.until(Duration.ofSeconds(10), "the calls are executed", () -> provider.executed() == 2);

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
        links.get(0).send(hash("a"));
        assertThat(links.get(0).read().document()).isEqualTo("97");
        for (MeshConnection link : links) {
            link.close();
        }
    }

    private static String hash(String argument) {
        return request(
                1, 0, MeshFrame.FORM, formBodyWithNames(names(Form.SERVICE, "hash", Form.STRING, "", ""), argument));
    }

    /** Of method id 0, the names stand between the attachments and the arguments. */
    private static String formBodyWithNames(String names, String argument) {
        String body = formBody(30_000, argument);
        int behindAttachments = 2 * (Integer.BYTES + Short.BYTES);
        return body.substring(0, behindAttachments) + names + body.substring(behindAttachments);
    }
}
