package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two consumer agents that choose by hash and three providers: each key, in a header field or else in the first
 * argument, has one provider for both agents, and changes it only when that has ended.
 */
@Timeout(180)
class HashTest {
    private static final int PROVIDERS = 3;
    private static final int KEYS = 40;
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private static Mesh mesh;
    private static final List<Dubbo> DUBBOS = new ArrayList<>();
    private static final List<Agent> PROVIDER_AGENTS = new ArrayList<>();
    private static final List<Agent> CONSUMER_AGENTS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("HashTest");
        for (int i = 0; i < PROVIDERS; i++) {
            DUBBOS.add(mesh.provider(Jvm.STUB, "provider-" + i, Map.of()));
        }
        String registry = mesh.etcd().uri();
        for (int i = 0; i < PROVIDERS; i++) {
            DUBBOS.get(i).awaitListening();
            PROVIDER_AGENTS.add(
                    mesh.providerAgent("provider-agent-" + i, DUBBOS.get(i).port(), registry, Map.of()));
        }
        for (Agent agent : PROVIDER_AGENTS) {
            agent.awaitReady();
        }
        for (int i = 0; i < 2; i++) {
            CONSUMER_AGENTS.add(mesh.consumerAgent(
                    "consumer-agent-" + i,
                    registry,
                    Map.of(
                            "lb",
                            "hash",
                            "lb.hash.key",
                            "header:X-User, argument:0",
                            "lb.slow-start",
                            "0 s",
                            "links.warm",
                            "*",
                            "io.threads",
                            "2")));
        }
        for (Agent agent : CONSUMER_AGENTS) {
            agent.awaitReady();
        }
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    /** Makes a call of a key whose result no other call has. */
    private interface Call {
        String request(int key, int number);
    }

    private static int calls;

    private static String byHeader(int key, int number) {
        return Form.post(Form.hash("text " + number), Form.PATIENT, "X-User: user-" + key);
    }

    private static String byArgument(int key, int number) {
        return Form.post(Form.hash("user-" + key), Form.PATIENT);
    }

    /** Returns the provider that has executed the call of each key, which is sent by an agent. */
    private static int[] owners(Agent agent, Call call) throws Exception {
        int[] owners = new int[KEYS];
        for (int key = 0; key < KEYS; key++) {
            int[] before = executed();
            // Another connection may belong to another event loop.
            try (HttpSocket socket = new HttpSocket(agent.port())) {
                assertThat(socket.call(call.request(key, calls++)).status()).isEqualTo(200);
            }
            int[] after = executed();
            assertThat(Arrays.stream(after).sum() - Arrays.stream(before).sum()).isEqualTo(1);
            owners[key] = after[0] > before[0] ? 0 : after[1] > before[1] ? 1 : 2;
        }
        return owners;
    }

    private static int[] executed() throws IOException {
        int[] executed = new int[PROVIDERS];
        for (int i = 0; i < PROVIDERS; i++) {
            executed[i] = DUBBOS.get(i).executed();
        }
        return executed;
    }

    @Test
    void keysStayWithTheirProviderAndMoveOnlyWhenItHasEnded() throws Exception {
        Map<String, Call> calls = new HashMap<>(Map.of("header", HashTest::byHeader, "argument", HashTest::byArgument));
        Map<String, int[]> owners = new HashMap<>();
        for (String kind : calls.keySet()) {
            int[] first = owners(CONSUMER_AGENTS.get(0), calls.get(kind));
            assertThat(first).as(kind).contains(0, 1, 2);
            for (Agent agent : CONSUMER_AGENTS) {
                assertThat(owners(agent, calls.get(kind))).as(kind).isEqualTo(first);
            }
            owners.put(kind, first);
        }
        // Header field and argument have the same texts.
        assertThat(owners.get("header")).isEqualTo(owners.get("argument"));

        PROVIDER_AGENTS.get(1).process().terminate();
        for (Agent agent : CONSUMER_AGENTS) {
            Await.until(A_WHILE, "no call goes to the provider that has ended", () -> {
                int before = DUBBOS.get(1).executed();
                owners(agent, HashTest::byHeader);
                return DUBBOS.get(1).executed() == before;
            });
        }
        for (String kind : calls.keySet()) {
            int[] before = owners.get(kind);
            int[] now = owners(CONSUMER_AGENTS.get(0), calls.get(kind));
            for (int key = 0; key < KEYS; key++) {
                if (before[key] == 1) {
                    assertThat(now[key]).as("%s, key %s", kind, key).isNotEqualTo(1);
                } else {
                    assertThat(now[key]).as("%s, key %s", kind, key).isEqualTo(before[key]);
                }
            }
            assertThat(owners(CONSUMER_AGENTS.get(1), calls.get(kind))).isEqualTo(now);
        }
    }
}
