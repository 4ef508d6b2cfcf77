package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Registration;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Unmodified providers that register themselves in a real ZooKeeper, in each way that their version of Dubbo has. A
 * gateway finds them there and makes every call of the compatibility table, with tokens from the registry, without
 * provider agents and, where a metadata report says the types, without class files.
 */
@Timeout(300)
class RegisteredProvidersTest {
    private enum Found {
        V2_7_BY_INTERFACE(Registration.INTERFACE, Jvm.DUBBO_27, Setup.V2_7_23, false),
        V2_7_BY_INTERFACE_WITH_REPORT(Registration.INTERFACE, Jvm.DUBBO_27, Setup.V2_7_23, true),
        V3_2_BY_INTERFACE(Registration.INTERFACE, Jvm.DUBBO_32, Setup.V3_2_19, false),
        V3_2_BY_INSTANCE_WITH_REMOTE_METADATA(Registration.INSTANCE_REMOTE, Jvm.DUBBO_32, Setup.V3_2_19, false),
        V3_2_BY_INSTANCE_WITH_REPORT(Registration.INSTANCE, Jvm.DUBBO_32, Setup.V3_2_19, true),
        V3_2_IN_BOTH_WAYS(Registration.ALL, Jvm.DUBBO_32, Setup.V3_2_19, false),
        V3_3_BY_INTERFACE(Registration.INTERFACE, Jvm.DUBBO, Setup.V3_3_6, false),
        V3_3_BY_INSTANCE_WITH_REMOTE_METADATA(Registration.INSTANCE_REMOTE, Jvm.DUBBO, Setup.V3_3_6, false),
        V3_3_BY_INSTANCE(Registration.INSTANCE, Jvm.DUBBO, Setup.V3_3_6, false),
        V3_3_IN_BOTH_WAYS_WITH_REPORT(Registration.ALL, Jvm.DUBBO, Setup.V3_3_6, true);

        private final Registration registration;
        private final Jvm jvm;
        private final Setup setup;
        /** Whether the types are known from a metadata report and not from class files. */
        private final boolean report;

        /**
         * Returns all with {@code -Dtest.all=true}, otherwise three: the oldest provider and the newest, each way to
         * register, with class files and with a report.
         */
        static List<Found> selected() {
            return Selection.of(
                    values(), Set.of(V2_7_BY_INTERFACE_WITH_REPORT, V3_3_BY_INSTANCE, V3_3_IN_BOTH_WAYS_WITH_REPORT));
        }

        Found(Registration registration, Jvm jvm, Setup setup, boolean report) {
            this.registration = registration;
            this.jvm = jvm;
            this.setup = setup;
            this.report = report;
        }
    }

    private record Running(Agent gateway, List<Verdict> verdicts) {}

    /** Each is two JVMs. */
    private static final int AT_ONCE = 3;

    private static final Duration A_WHILE = Duration.ofSeconds(40);
    private static final int TOLD = 20;

    /** A bridge method, which a report lists beside the method, and an object of a class that it does not mention. */
    private static final Set<String> NEED_CLASS_FILES = Set.of(
            "UserService.first(UserQuery)", "UserService.saveAll(Map<String,User>)", "DrawingService.areaOf(Measured)");

    private static final String VAULT = Call.OFFICE + "Vault";
    private static final String OPENED = "\"opened for you\"";

    private static Mesh mesh;
    private static CompatibilityCalls calls;
    private static final Map<Found, LocalZooKeeper> ZOO_KEEPERS = new EnumMap<>(Found.class);
    private static final Map<Found, Future<Running>> RUNNING = new EnumMap<>(Found.class);

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("RegisteredProvidersTest");
        calls = CompatibilityCalls.read();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        for (Found found : Found.selected()) {
            // A registry each, since all of them serve the same.
            ZOO_KEEPERS.put(found, new LocalZooKeeper(mesh.directory().resolve("zookeeper-" + found)));
            RUNNING.put(found, threads.submit(() -> started(found).call()));
        }
        threads.shutdown();
    }

    @AfterAll
    static void end() throws Exception {
        try {
            mesh.end();
        } finally {
            ZOO_KEEPERS.values().forEach(LocalZooKeeper::close);
        }
    }

    private static synchronized Callable<Running> started(Found found) throws Exception {
        LocalZooKeeper zooKeeper = ZOO_KEEPERS.get(found);
        Map<String, String> settings = new HashMap<>(found.registration.settings(zooKeeper));
        settings.put("conformance", "true");
        settings.put("office", "true");
        settings.put("user.timezone", CompatibilityCalls.TIME_ZONE);
        if (found.report) {
            settings.put("dubbo.metadata-report.address", zooKeeper.uri());
        }
        Dubbo provider = mesh.provider(Registration.withClient(found.jvm), found.toString(), settings);
        Map<String, String> ofGateway = new HashMap<>(Map.of(
                "type",
                "gateway",
                "registry",
                zooKeeper.uri(),
                "user.timezone",
                CompatibilityCalls.TIME_ZONE,
                "dubbo.inquiry.timeout",
                "5 s"));
        if (!found.report) {
            ofGateway.put("dubbo.api.jars", CompatibilityCalls.CLASS_FILES.toString());
        }
        Agent gateway = mesh.consumerAgent(Jvm.MESH_AGENT, found + "-gateway", ofGateway);
        return () -> {
            provider.awaitListening();
            gateway.awaitReady();
            for (String service : CompatibilityCalls.SERVICES) {
                awaitTypes(service, gateway, found.report ? "metadata report" : "class files");
            }
            return new Running(
                    gateway, calls.verdicts(found.setup, call -> !call.service().equals(VAULT), gateway.port()));
        };
    }

    /** Until the gateway has found the service and knows its types; those of a GenericService are not reported. */
    private static void awaitTypes(String service, Agent gateway, String source) throws Exception {
        String[] parts = service.split(":");
        String query =
                (parts.length > 1 ? "?version=" + parts[1] : "") + (parts.length > 2 ? "&group=" + parts[2] : "");
        Await.untilAsserted(A_WHILE, () -> {
            String answer = HttpSocket.once(
                            gateway.port(), "GET /" + parts[0] + query + " HTTP/1.1\r\nHost: mesh\r\n\r\n")
                    .text();
            assertThat(answer).as(service).doesNotContain("SERVICE_NOT_FOUND");
            if (!service.endsWith("LedgerService")) {
                assertThat(answer).contains("\"source\":\"" + source);
            }
        });
    }

    static List<Found> selected() {
        return Found.selected();
    }

    @ParameterizedTest
    @MethodSource("selected")
    void everyCallIsRightOrAKnownLimitOfTheProvider(Found found) throws Exception {
        List<Verdict> verdicts = RUNNING.get(found).get().verdicts();
        assertThat(verdicts).hasSizeGreaterThan(800);
        List<String> wrong = verdicts.stream()
                .filter(verdict -> verdict.fault() != null)
                .filter(verdict -> !found.report || !needsClassFiles(verdict.call()))
                .map(Verdict::toString)
                .toList();
        Path all = mesh.directory().resolve(found + ".wrong");
        Files.write(all, wrong);
        assertThat(wrong.stream().limit(TOLD))
                .as("%d calls are wrong, see %s", wrong.size(), all)
                .isEmpty();
    }

    private static boolean needsClassFiles(Call call) {
        return ReportedTypesTest.OTHERWISE.contains(call.signature()) || NEED_CLASS_FILES.contains(call.signature());
    }

    @ParameterizedTest
    @MethodSource("selected")
    void aServiceThatDemandsATokenAnswers(Found found) throws Exception {
        Agent gateway = RUNNING.get(found).get().gateway();
        for (String version : List.of("", "random", "other")) {
            assertThat(open(gateway, version).text()).as("version %s", version).isEqualTo(OPENED);
        }
    }

    private static HttpAnswer open(Agent gateway, String version) throws Exception {
        return HttpSocket.once(
                gateway.port(),
                HttpSocket.request(
                        "POST /" + VAULT + "/open?version=" + version,
                        "[\"you\"]",
                        "Content-Type: application/json",
                        Form.PATIENT));
    }
}
