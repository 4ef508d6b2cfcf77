package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.compatibility.Call;
import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.ExecutedCalls;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Registration;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URLDecoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three unmodified providers, of other versions of Dubbo each, that register themselves in one real ZooKeeper, in
 * another way each. A gateway finds them there and calls them without provider agents.
 */
@Timeout(300)
class ZooKeeperGatewayTest {
    private enum Registered {
        BY_INTERFACE(Jvm.DUBBO_27, Registration.INTERFACE),
        BY_INSTANCE(Jvm.DUBBO_32, Registration.INSTANCE),
        IN_BOTH_WAYS(Jvm.DUBBO, Registration.ALL);

        private final Jvm jvm;
        private final Registration registration;

        Registered(Jvm jvm, Registration registration) {
            this.jvm = jvm;
            this.registration = registration;
        }
    }

    /** The time to notice a change; the time on a quiet machine is measured by {@code scripts/chaos.sh F1}. */
    private static final Duration TO_NOTICE = Duration.ofSeconds(5);

    private static final Duration A_WHILE = Duration.ofSeconds(40);
    /**
     * The time for which Dubbo 3 exports a service that it has deregistered and that was called lately; ten seconds
     * would only make the test longer.
     */
    private static final String SHUTDOWN_WAIT_MS = "1500";

    /** The time that Dubbo may take to end on a busy machine, which is not what is tested. */
    private static final Duration TO_END = Duration.ofMinutes(1);

    /** Longer than the sessions of the providers. */
    private static final Duration AWAY = Duration.ofSeconds(Integer.getInteger("zookeeper.away", 13));

    private static final int CLIENTS = 32;

    private static final String VAULT = Call.OFFICE + "Vault";

    private static Mesh mesh;
    private static LocalZooKeeper zooKeeper;
    private static ZooKeeperOperator operator;
    private static final Map<Registered, Dubbo> PROVIDERS = new EnumMap<>(Registered.class);
    private static Agent gateway;

    /** The providers that the running test has stopped. */
    private final Set<Dubbo> stopped = new HashSet<>();

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("ZooKeeperGatewayTest");
        zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"));
        operator = zooKeeper.connect();
        for (Registered each : Registered.values()) {
            Map<String, String> settings = new HashMap<>(each.registration.settings(zooKeeper));
            settings.put("delay.ms", "5");
            settings.put("office", "true");
            settings.put("dubbo.service.shutdown.wait", SHUTDOWN_WAIT_MS);
            PROVIDERS.put(each, mesh.provider(Registration.withClient(each.jvm), each.toString(), settings));
        }
        gateway = mesh.consumerAgent(
                "gateway",
                zooKeeper.uri(),
                Map.of("type", "gateway", "lb.slow-start", "0 s", "dubbo.inquiry.timeout", "5 s"));
        for (Dubbo provider : PROVIDERS.values()) {
            provider.awaitListening();
        }
        gateway.awaitReady();
        for (Dubbo provider : PROVIDERS.values()) {
            awaitCalled(provider);
        }
        Load.warmUp(gateway.port());
    }

    @AfterAll
    static void end() throws Exception {
        operator.close();
        mesh.end();
        zooKeeper.close();
    }

    /** Also after a failure: the other tests need all providers. */
    @AfterEach
    void startStoppedProviders() throws Exception {
        for (Dubbo provider : stopped) {
            provider.kill();
            provider.startAgain();
            awaitCalled(provider);
        }
    }

    private static void awaitCalled(Dubbo provider) throws Exception {
        int before = provider.executed();
        try {
            Await.until(A_WHILE, provider.process().log().getFileName() + " is called", () -> {
                HttpSocket.once(gateway.port(), Form.post(Form.hash("hello"), Form.PATIENT));
                return provider.executed() > before;
            });
        } catch (AssertionError e) {
            // Has it not registered, or is it registered and not called?
            String providers = "/dubbo/" + Form.SERVICE + "/providers";
            throw new AssertionError(
                    e.getMessage() + ", at port " + provider.port() + "; ZooKeeper has "
                            + operator.raw().getChildren(providers, false) + "; the gateway has "
                            + gateway.admin("GET endpoints", ""),
                    e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "random", "other"})
    void everyProviderGetsTheTokenThatItHasRegistered(String version) throws Exception {
        Set<String> called = new TreeSet<>();
        Await.until(A_WHILE, "every provider has opened its vault " + version, () -> {
            HttpAnswer answer = open(gateway, version);
            assertThat(answer.status()).as("%s", answer).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("\"opened for you\"");
            called.add(answer.header("x-mesh-endpoint"));
            return called.size() == PROVIDERS.size();
        });
    }

    private static HttpAnswer open(Agent agent, String version) throws Exception {
        return HttpSocket.once(
                agent.port(),
                HttpSocket.request(
                        "POST /" + VAULT + "/open?version=" + version,
                        "[\"you\"]",
                        "Content-Type: application/json",
                        "X-Mesh-Timing: true",
                        Form.PATIENT));
    }

    @Test
    void aWrongTokenIsNamedAsTheReason() throws Exception {
        String url27 = registered(Registered.BY_INTERFACE, "");
        String url33 = registered(Registered.IN_BOTH_WAYS, "random");
        String without = registered(Registered.BY_INTERFACE, "other");
        String wrong27 = enter("/altered", url27.replaceFirst("token=[^&]+", "token=wr0ng"));
        enter("/altered", url33.replaceFirst("token=[^&]+", "token=wr0ng"));
        enter("/altered", without.replaceFirst("token=[^&]+&?", ""));
        Agent misled = mesh.consumerAgent("misled", zooKeeper.uri() + "/altered", Map.of("type", "gateway"));
        misled.awaitReady();

        for (String version : List.of("", "random")) {
            assertThat(open(misled, version)
                            .assertProblem(502, "PROVIDER_REFUSED_TOKEN")
                            .get("detail"))
                    .contains("the provider refuses the token")
                    .doesNotContain("wr0ng");
        }
        assertThat(open(misled, "other")
                        .assertProblem(502, "PROVIDER_REFUSED_TOKEN")
                        .get("detail"))
                .contains("the provider demands a token, and none is");

        enter("/altered", url27);
        operator.delete(wrong27);
        Await.untilAsserted(A_WHILE, () -> assertThat(open(misled, "").text()).isEqualTo("\"opened for you\""));
        assertThat(misled.process().output()).doesNotContain("wr0ng");
    }

    /** Returns the entry that the provider has written of its vault. */
    private static String registered(Registered by, String version) throws Exception {
        return operator.raw().getChildren("/dubbo/" + VAULT + "/providers", false).stream()
                .map(name -> URLDecoder.decode(name, UTF_8))
                .filter(url -> url.startsWith("dubbo://")
                        && url.contains(":" + PROVIDERS.get(by).port() + "/")
                        && (version.isEmpty() ? !url.contains("&version=") : url.contains("&version=" + version)))
                .findFirst()
                .orElseThrow();
    }

    private static String enter(String root, String url) throws Exception {
        String path = ZooKeeperOperator.providerNode(root, VAULT, url);
        operator.create(path, "", CreateMode.PERSISTENT);
        return path;
    }

    @Test
    void aConditionInZooKeeperMovesTheCallsToTheProviderThatItNames() throws Exception {
        String rule = "/dubbo/config/dubbo/" + Form.SERVICE + "::.condition-router";
        int port = PROVIDERS.get(Registered.BY_INSTANCE).port();
        Await.until(A_WHILE, "every provider is called", () -> endpointsOf(30).size() == PROVIDERS.size());

        String conditions = "force: true\nenabled: true\nconditions:\n- \"=> port=" + port + "\"\n";
        operator.create(rule, conditions, CreateMode.PERSISTENT);
        try {
            Await.until(A_WHILE, "one provider is called", () -> endpointsOf(30).size() == 1);
            assertThat(endpointsOf(100)).singleElement().asString().endsWith(":" + port);
        } finally {
            operator.delete(rule);
        }
        Await.until(
                A_WHILE, "every provider is called again", () -> endpointsOf(30).size() == PROVIDERS.size());
    }

    /** Returns the endpoints of some calls, none of which may fail. */
    private static Set<String> endpointsOf(int calls) throws Exception {
        Set<String> endpoints = new TreeSet<>();
        for (int i = 0; i < calls; i++) {
            HttpAnswer answer =
                    HttpSocket.once(gateway.port(), Form.post(Form.hash("hello"), "X-Mesh-Timing: true", Form.PATIENT));
            answer.assertHash("hello");
            endpoints.add(answer.header("x-mesh-endpoint"));
        }
        return endpoints;
    }

    @Test
    void aProviderThatIsKilledFailsOnlyItsCallsInFlightAndNoneIsExecutedTwice() throws Exception {
        // Its entry stays until ZooKeeper ends the session.
        Dubbo provider = PROVIDERS.get(Registered.BY_INSTANCE);
        ExecutedCalls executed = ExecutedCalls.from(PROVIDERS.values());
        try (Load load = Load.startSteady(gateway.port(), CLIENTS)) {
            load.awaitMore(500);
            long killedNs = System.nanoTime();
            stopped.add(provider);
            provider.kill();
            load.awaitMore(500);
            load.stop();
            assertThat(load.failures()).hasSizeLessThanOrEqualTo(CLIENTS).allSatisfy(failure -> {
                assertThat(failure.status()).as(failure.what()).isEqualTo(502);
                assertThat(failure.atNs() - killedNs).isLessThan(TO_NOTICE.toNanos());
            });
            executed.assertNoneTwiceAndAllOf(load);
        }
    }

    /** Returns all with {@code -Dtest.all=true}, otherwise the oldest version and the newest. */
    private static List<Registered> stoppedOnes() {
        return Selection.of(Registered.values(), Set.of(Registered.BY_INTERFACE, Registered.IN_BOTH_WAYS));
    }

    @ParameterizedTest
    @MethodSource("stoppedOnes")
    void noCallIsLostWithAProviderThatIsStopped(Registered registered) throws Exception {
        Dubbo provider = PROVIDERS.get(registered);
        ExecutedCalls executed = ExecutedCalls.from(PROVIDERS.values());
        try (Load load = Load.startSteady(gateway.port(), CLIENTS)) {
            load.awaitMore(500);
            stopped.add(provider);
            provider.process().send(Signal.TERM);
            provider.process().awaitExit(TO_END);
            load.awaitMore(500);
            load.stop();
            assertThat(load.failures()).isEmpty();
            executed.assertNoneTwiceAndAllOf(load);
        }
    }

    @Test
    void noCallFailsWhileZooKeeperIsAwayAndWhenItIsBack() throws Exception {
        ExecutedCalls executed = ExecutedCalls.from(PROVIDERS.values());
        try (Load load = Load.startSteady(gateway.port(), 1)) {
            load.awaitMore(500);
            zooKeeper.stop();
            load.awaitMoreFor(AWAY);
            zooKeeper.start();
            // ZooKeeper deletes the entries of the former sessions only now.
            load.awaitMoreFor(AWAY);
            load.stop();
            assertThat(load.failures()).isEmpty();
            assertThat(Arrays.stream(executed.spread()).sum())
                    .isEqualTo(load.right().size());
        }
        operator.close();
        operator = zooKeeper.connect();
        for (Dubbo provider : PROVIDERS.values()) {
            awaitCalled(provider);
        }
    }
}
