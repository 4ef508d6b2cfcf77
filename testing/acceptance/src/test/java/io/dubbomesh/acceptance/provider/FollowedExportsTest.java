package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Provider agents without a list of services ({@code dubbo.services=auto}) beside real providers. */
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FollowedExportsTest {
    private static final String SHOP = "io.dubbomesh.demo.shop.Shop";
    private static final String CONFORMANCE = "io.dubbomesh.demo.conformance.ConformanceService";
    private static final String OFFICE = "io.dubbomesh.demo.office.";
    private static final List<String> OFFICE_SERVICES =
            List.of("Cashier", "Diary", "DrawingService", "LedgerService", "SignUp", "UserService", "Vault");

    private static Mesh mesh;
    private static final Map<String, Dubbo> PROVIDERS = new HashMap<>();
    private static final Map<String, Agent> AGENTS = new HashMap<>();

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("FollowedExportsTest");
        Map<String, Jvm> jvms = Map.of("2.6", Jvm.DUBBO_2612, "2.7", Jvm.DUBBO_27, "3.3", Jvm.DUBBO);
        for (String version : versions()) {
            Map<String, String> settings = Map.of(
                    "delay.ms", "0",
                    "office", "true",
                    "serialization", "hessian2",
                    "late.file", lateFile().toString());
            PROVIDERS.put(version, mesh.provider(jvms.get(version), "dubbo-" + version, settings));
        }
        for (String version : PROVIDERS.keySet()) {
            PROVIDERS.get(version).awaitListening();
            AGENTS.put(
                    version,
                    mesh.providerAgent(
                            "agent-" + version,
                            PROVIDERS.get(version).port(),
                            registry(version),
                            Map.of("dubbo.services", "auto", "dubbo.services.interval", "200 ms")));
        }
        for (Agent agent : AGENTS.values()) {
            agent.awaitReady();
        }
    }

    /** Returns all with {@code -Dtest.all=true}, otherwise the oldest and the newest. */
    private static List<String> versions() {
        return Selection.of(new String[] {"2.6", "2.7", "3.3"}, Set.of("2.6", "3.3"));
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static Path lateFile() {
        return mesh.directory().resolve("late");
    }

    private static String registry(String version) {
        return "file:" + folder(version);
    }

    private static Path folder(String version) {
        return mesh.directory().resolve("registry-" + version);
    }

    /** Returns the services with an entry. */
    private static List<String> registered(String version) throws IOException {
        try (Stream<Path> services = Files.list(folder(version))) {
            return services.filter(service -> {
                        try (Stream<Path> entries = Files.list(service)) {
                            return entries.findAny().isPresent();
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .map(service -> service.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void whatARealProviderExportsIsRegisteredAndNothingOfDubboItself(String version) throws Exception {
        List<String> office = OFFICE_SERVICES.stream().map(OFFICE::concat).toList();
        assertThat(registered(version))
                .contains(Form.SERVICE)
                .containsAll(office)
                .allMatch(service -> !service.startsWith("org.apache.dubbo."));
        AGENTS.get(version).assertHashByLink("hello");
    }

    @Test
    void aServiceThatARunningProviderExportsAndUnexportsIsRegisteredAndDeregistered() throws Exception {
        assertThat(registered("3.3")).contains(Form.SERVICE).doesNotContain(CONFORMANCE);

        Files.createFile(lateFile());
        Await.until(Duration.ofSeconds(60), "exported", () -> registered("3.3").contains(CONFORMANCE));

        Files.delete(lateFile());
        Await.until(
                Duration.ofSeconds(60),
                "not exported any more",
                () -> !registered("3.3").contains(CONFORMANCE));
        assertThat(registered("3.3")).contains(Form.SERVICE, OFFICE + "Diary");
    }

    /** It registers by interface alone: then Dubbo 3 exports no metadata service, and names no service without one. */
    @Test
    void theServicesOfAProviderThatDoesNotListThemAreFoundByItsQos() throws Exception {
        String qosPort = Integer.toString(Ports.free());
        Dubbo provider = mesh.provider(
                Jvm.DUBBO,
                "unlisted",
                Map.of(
                        "delay.ms",
                        "0",
                        "dubbo.application.register-mode",
                        "interface",
                        "dubbo.application.qos-enable",
                        "true",
                        "dubbo.application.qos-port",
                        qosPort));
        provider.awaitListening();
        Agent agent = mesh.providerAgent(
                "agent-unlisted",
                provider.port(),
                registry("unlisted"),
                Map.of("dubbo.services", "auto", "dubbo.qos.port", qosPort));
        agent.awaitReady();

        assertThat(registered("unlisted")).containsExactly(Form.SERVICE, SHOP);
        assertThat(agent.process().output())
                .contains("exports 3 services, as named by Dubbo's QoS at 127.0.0.1:" + qosPort
                        + " and confirmed by it: ");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void whatIsExportedLaterIsRegisteredAndWhatIsNotAnyMoreIsDeregistered() throws Exception {
        Dubbo first = PROVIDERS.get("3.3");
        assertThat(registered("3.3")).contains(OFFICE + "Diary").doesNotContain(CONFORMANCE);
        first.kill();

        RunningProcess second = Jvm.DUBBO.start(
                mesh.directory().resolve("second.log"),
                Map.of("port", "" + first.port(), "name", "second", "delay.ms", "0", "conformance", "true"));
        try {
            Await.until(
                    Duration.ofSeconds(60),
                    "the services of the other provider",
                    () -> registered("3.3").equals(List.of(Form.SERVICE, CONFORMANCE, SHOP)));
        } finally {
            second.kill();
        }
        // Not as the first of the list: a provider that still starts may not export the service before it either.
        assertThat(AGENTS.get("3.3").process().output())
                .containsPattern("not exported any more: .*io\\.dubbomesh\\.demo\\.office\\.Cashier");
    }
}
