package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.etcd.EtcdGateway;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The mesh as it is meant to run: etcd, three providers with an agent each, weighted 1, 2, 3, and a consumer agent. The
 * third provider is one of Dubbo 3.3.6.
 */
@Timeout(120)
class WholeMeshTest {
    private static final int PROVIDERS = 3;
    /** On a busy machine; less than the three seconds after which a silent link is lost. */
    private static final Duration AT_ONCE = Duration.ofMillis(2_500);
    /** The time for an agent to act on a change in the registry, on a busy machine. */
    private static final Duration TO_NOTICE = Duration.ofSeconds(10);

    private static final Duration A_WHILE = Duration.ofSeconds(15);

    private static Mesh mesh;
    private static EtcdServer etcd;
    /** Between etcd and the last provider agent. */
    private static FaultyProxy registryPath;

    private static final List<Dubbo> DUBBOS = new ArrayList<>();
    private static final List<Agent> AGENTS = new ArrayList<>();
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("WholeMeshTest");
        for (int i = 0; i < PROVIDERS; i++) {
            // Half of the calls go to the real one.
            Jvm kind = i == PROVIDERS - 1 ? Jvm.DUBBO : Jvm.STUB;
            DUBBOS.add(mesh.provider(kind, "provider-" + (i + 1), Map.of("delay.ms", "20")));
        }
        etcd = mesh.etcd();
        registryPath = new FaultyProxy(etcd.port());
        for (int i = 0; i < PROVIDERS; i++) {
            DUBBOS.get(i).awaitListening();
            AGENTS.add(mesh.providerAgent(
                    "provider-agent-" + (i + 1),
                    DUBBOS.get(i).port(),
                    i == PROVIDERS - 1 ? "etcd://127.0.0.1:" + registryPath.port() : etcd.uri(),
                    Map.of("lb.weight", Integer.toString(i + 1))));
        }
        for (Agent agent : AGENTS) {
            agent.awaitReady();
        }
        // What one test kills has its whole weight in the next; no call is refused because the machine is busy.
        consumerAgent =
                mesh.consumerAgent("consumer-agent", etcd.uri(), Map.of("lb.slow-start", "0 s", "queue.burst", "5 s"));
        consumerAgent.awaitReady();
        Load.warmUp(consumerAgent.port());
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        registryPath.close();
    }

    /** Waits until what one test breaks is whole again, before the next. */
    @BeforeEach
    void everyProviderIsInRotation() throws Exception {
        awaitSpread(0, 1, 2);
    }

    @Test
    void theAnswerIsTheHashOfTheText() throws Exception {
        assertThat(call("hello").text()).isEqualTo("99162322");
        assertThat(call("").text()).isEqualTo("0");
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            String form = "interface=" + Form.SERVICE + "&method=hash&parameterTypesString=Ljava%2Flang%2FString%3B"
                    + "&parameter=%E4%BD%A0%E5%A5%BD+%F0%9F%98%80";
            assertThat(client.call(Form.post(form)).text())
                    .isEqualTo(Integer.toString("\u4f60\u597d \ud83d\ude00".hashCode()));
        }
    }

    @Test
    void anyTextIsHashedAsJavaDoes() throws Exception {
        Random random = new Random(1);
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            for (int i = 0; i < 300; i++) {
                String text = randomText(random);
                client.call(Form.post(Form.hash(text))).assertHash(text);
            }
        }
    }

    /**
     * Returns a text of code points of every length in UTF-8, control characters and the edges of the planes among
     * them; without lone surrogates.
     */
    private static String randomText(Random random) {
        int[] edges = {0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff};
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(100);
        for (int i = 0; i < length; i++) {
            int codePoint = switch (random.nextInt(6)) {
                case 0 -> random.nextInt(0x20);
                case 1 -> random.nextInt(0x80);
                case 2 -> random.nextInt(0x800);
                case 3 -> 0xe000 + random.nextInt(0x2000);
                case 4 -> 0x10000 + random.nextInt(0x100000);
                default -> edges[random.nextInt(edges.length)];
            };
            text.appendCodePoint(codePoint);
        }
        return text.toString();
    }

    @Test
    void textsOfEveryOrderOfSizeAreAnswered() throws Exception {
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            for (int length = 1; length < 1_000_000; length *= 3) {
                for (String unit : List.of("x", "\u00fc", "\u4f60")) {
                    String text =
                            unit.repeat(Math.max(1, length / Form.encoded(unit).length()));
                    client.call(Form.post(Form.hash(text))).assertHash(text);
                }
            }
        }
    }

    @Test
    void noCallIsLostCrossedOrRepeatedUnder512Connections() throws Exception {
        int clients = 512;
        int callsEach = 10;
        List<List<Integer>> before = results();
        try (Load load = Load.start(consumerAgent.port(), clients, callsEach).join()) {
            assertThat(load.failures()).isEmpty();
            assertThat(load.right()).hasSize(clients * callsEach);
            List<Integer> executed = new ArrayList<>();
            for (int i = 0; i < PROVIDERS; i++) {
                List<Integer> results = DUBBOS.get(i).results();
                executed.addAll(results.subList(before.get(i).size(), results.size()));
            }
            assertThat(executed)
                    .as("each call executed exactly once")
                    .containsExactlyInAnyOrderElementsOf(load.right());
        }
    }

    @Test
    void callsAreSpreadByWeight() throws Exception {
        int[] spread = spreadOf(300);
        assertThat(spread[0]).isCloseTo(50, within(3));
        assertThat(spread[1]).isCloseTo(100, within(5));
        assertThat(spread[2]).isCloseTo(150, within(8));
    }

    @Test
    void aWeightPutIntoTheRegistryIsFollowed() throws Exception {
        String key = keyOf(0);
        EtcdGateway.KeyValue before = etcd.get(key);
        assertThat(before.lease()).isNotZero();
        etcd.put(key, before.value().replace("\"weight\":1", "\"weight\":5"));
        try {
            Await.until(TO_NOTICE, "the new weight is used", () -> spreadOf(10)[0] == 5);
            int[] spread = spreadOf(300);
            assertThat(spread[0]).isCloseTo(150, within(8));
            assertThat(spread[1]).isCloseTo(60, within(5));
            assertThat(spread[2]).isCloseTo(90, within(6));
            EtcdGateway.KeyValue adopted = etcd.get(key);
            assertThat(adopted.lease())
                    .as("the lease of the key that was put without one")
                    .isEqualTo(before.lease());
            assertThat(adopted.value()).contains("\"weight\":5");
        } finally {
            etcd.put(key, before.value());
            Await.until(A_WHILE, "the old weight is back", () -> {
                EtcdGateway.KeyValue entry = etcd.get(key);
                return entry.lease() != 0 && entry.value().contains("\"weight\":1");
            });
            Await.until(A_WHILE, "the old spread is back", () -> spreadOf(12)[0] == 2);
        }
    }

    @Test
    void aWeightOfZeroGetsNoNewCalls() throws Exception {
        String key = keyOf(2);
        EtcdGateway.KeyValue before = etcd.get(key);
        etcd.put(key, "0");
        try {
            Await.until(TO_NOTICE, "the new weight is used", () -> spreadOf(12)[2] == 0);
            assertThat(spreadOf(90)[2]).isZero();
        } finally {
            etcd.put(key, before.value());
        }
    }

    @Test
    void aWeightChangedAtTheAdminPortOfTheConsumerAgentIsFollowed() throws Exception {
        String path = "PUT endpoints/127.0.0.1:" + AGENTS.get(0).port() + "/weight";
        EtcdGateway.KeyValue before = etcd.get(keyOf(0));

        assertThat(consumerAgent.admin(path, "{\"weight\":5}").text()).contains("\"weight\":5,\"previousWeight\":1");
        try {
            Await.until(TO_NOTICE, "the new weight is used", () -> spreadOf(10)[0] == 5);
            assertThat(etcd.get(keyOf(0)).lease()).isEqualTo(before.lease());
            assertThat(AGENTS.get(0).admin("GET state", "").text()).contains("\"weight\":5");
        } finally {
            // This time at the agent whose weight it is.
            assertThat(AGENTS.get(0).admin(path, "{\"weight\":1}").status()).isEqualTo(200);
        }
        Await.until(TO_NOTICE, "the old weight is used", () -> spreadOf(12)[0] == 2);
    }

    @Test
    void aProviderAgentThatDrainsLosesNoCallAndComesBack() throws Exception {
        try (Load load = Load.startSteady(consumerAgent.port(), 48)) {
            load.awaitMore(200);
            assertThat(AGENTS.get(2).admin("POST drain", "").status()).isEqualTo(200);
            Await.until(A_WHILE, "the agent has deregistered", () -> etcd.get(keyOf(2)) == null);
            Await.until(
                    TO_NOTICE,
                    "it has no calls",
                    () -> AGENTS.get(2).admin("GET drain", "").text().contains("\"callsInFlight\":0,\"links\":0"));
            load.awaitMore(200);
            assertThat(AGENTS.get(2).admin("DELETE drain", "").status()).isEqualTo(200);
            load.awaitMore(200);
            load.stop();
            assertThat(load.failures()).isEmpty();
        }
        awaitSpread(0, 1, 2);
    }

    @Test
    void aKilledProviderAgentFailsOnlyTheCallsInFlight() throws Exception {
        int clients = 32;
        try (Load load = Load.startSteady(consumerAgent.port(), clients)) {
            load.awaitMore(500);
            long killedNs = System.nanoTime();
            AGENTS.get(2).process().kill();
            load.awaitMore(1000);
            load.stop();
            assertThat(load.failures()).hasSizeLessThanOrEqualTo(clients).allSatisfy(failure -> {
                assertThat(failure.status()).as(failure.what()).isEqualTo(502);
                assertThat(failure.atNs() - killedNs).isLessThan(AT_ONCE.toNanos());
            });
        }
        assertThat(spreadOf(60)[2]).isZero();
        AGENTS.get(2).startAgain();
        AGENTS.get(2).awaitReady();
        awaitSpread(0, 1, 2);
    }

    @Test
    void anAgentDeregistersWhenItsProviderDiesAndRegistersWhenItIsBack() throws Exception {
        int clients = 16;
        try (Load load = Load.startSteady(consumerAgent.port(), clients)) {
            load.awaitMore(200);
            long killedNs = System.nanoTime();
            DUBBOS.get(1).kill();
            Await.until(A_WHILE, "the agent has deregistered", () -> etcd.get(keyOf(1)) == null);
            assertThat(System.nanoTime() - killedNs)
                    .isLessThan(Duration.ofSeconds(3).toNanos());
            load.awaitMore(200);
            load.stop();
            assertThat(load.failures()).hasSizeLessThanOrEqualTo(clients).allSatisfy(failure -> {
                assertThat(failure.status()).as(failure.what()).isEqualTo(502);
                assertThat(failure.atNs() - killedNs).isLessThan(AT_ONCE.toNanos());
            });
        }
        assertThat(AGENTS.get(1).isReady())
                .as("an agent without its provider is ready")
                .isFalse();
        DUBBOS.get(1).startAgain();
        Await.until(Duration.ofSeconds(5), "the agent is back", () -> etcd.get(keyOf(1)) != null);
        awaitSpread(0, 1, 2);
    }

    @Test
    void aCallOfAProviderThatHangsEndsAtItsDeadline() throws Exception {
        Dubbo hanging = DUBBOS.get(0);
        hanging.process().send(Signal.STOP);
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            int late = 0;
            for (int i = 0; i < 6; i++) {
                long startNs = System.nanoTime();
                String text = "hang " + i;
                HttpAnswer answer = client.call(Form.post(Form.hash(text), "X-Request-Timeout: 300"));
                if (answer.status() == 200) {
                    answer.assertHash(text);
                } else {
                    late++;
                    answer.assertProblem(504, "TIMEOUT");
                    assertThat(System.nanoTime() - startNs)
                            .isBetween(Duration.ofMillis(300).toNanos(), AT_ONCE.toNanos());
                }
            }
            assertThat(late).as("calls that went to the provider that hangs").isEqualTo(1);
        } finally {
            hanging.process().send(Signal.CONT);
        }
    }

    @Test
    void callsGoOnWithoutEtcd() throws Exception {
        try (Load load = Load.startSteady(consumerAgent.port(), 4)) {
            load.awaitMore(200);
            etcd.kill();
            long killedNs = System.nanoTime();
            while (System.nanoTime() - killedNs < Duration.ofSeconds(4).toNanos()) {
                load.awaitMore(100);
            }
            etcd.start();
            load.awaitMore(500);
            load.stop();
            assertThat(load.failures()).isEmpty();
        }
        for (int i = 0; i < PROVIDERS; i++) {
            String key = keyOf(i);
            Await.until(A_WHILE, key + " is registered", () -> {
                EtcdGateway.KeyValue entry = etcd.get(key);
                return entry != null && entry.lease() != 0;
            });
        }
        // Both agents follow etcd again.
        String key = keyOf(0);
        EtcdGateway.KeyValue before = etcd.get(key);
        etcd.put(key, "0");
        Await.until(A_WHILE, "the consumer agent sees a change", () -> spreadOf(12)[0] == 0);
        Await.until(
                A_WHILE, "the provider agent sees a change", () -> etcd.get(key).lease() != 0);
        etcd.put(key, before.value());
    }

    /** Its lease is revoked instead of waiting until it expires. */
    @Test
    void anAgentThatIsCutOffFromTheRegistryKeepsItsShareOfTheCalls() throws Exception {
        String key = keyOf(2);
        registryPath.stall();
        try (Load load = Load.startSteady(consumerAgent.port(), 8)) {
            etcd.revoke(etcd.get(key).lease());
            Await.until(
                    A_WHILE,
                    "the consumer agent logs that the key is gone",
                    () -> consumerAgent
                            .process()
                            .output()
                            .contains("; lapsed 127.0.0.1:" + AGENTS.get(2).port() + ' '));
            load.awaitMore(200);
            load.stop();
            assertThat(load.failures()).isEmpty();
            assertThat(spreadOf(300)[2]).isCloseTo(150, within(8));
            assertThat(etcd.get(key)).isNull();
            assertThat(AGENTS.get(2).isReady()).isTrue();
        } finally {
            registryPath.resume();
        }
        Await.until(A_WHILE, "the agent is registered again", () -> etcd.get(key) != null);
        assertThat(spreadOf(300)[2]).isCloseTo(150, within(8));
    }

    private static HttpAnswer call(String text) throws IOException {
        return HttpSocket.once(consumerAgent.port(), Form.post(Form.hash(text)));
    }

    private static String keyOf(int agent) {
        return "/dubbomesh/" + Form.SERVICE + "/127.0.0.1:" + AGENTS.get(agent).port();
    }

    private static List<List<Integer>> results() throws IOException {
        List<List<Integer>> results = new ArrayList<>();
        for (Dubbo provider : DUBBOS) {
            results.add(provider.results());
        }
        return results;
    }

    /** Returns the number of so many calls in a row, all of them right, that go to each provider. */
    private static int[] spreadOf(int calls) throws IOException {
        int[] spread = new int[PROVIDERS];
        for (int i = 0; i < PROVIDERS; i++) {
            spread[i] = -DUBBOS.get(i).executed();
        }
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            for (int i = 0; i < calls; i++) {
                String text = "spread " + i;
                client.call(Form.post(Form.hash(text))).assertHash(text);
            }
        }
        for (int i = 0; i < PROVIDERS; i++) {
            spread[i] += DUBBOS.get(i).executed();
        }
        return spread;
    }

    private static void awaitSpread(int... providers) throws Exception {
        Await.until(A_WHILE, "all providers get calls", () -> {
            int[] spread = spreadOf(6);
            for (int provider : providers) {
                if (spread[provider] == 0) {
                    return false;
                }
            }
            return true;
        });
    }
}
