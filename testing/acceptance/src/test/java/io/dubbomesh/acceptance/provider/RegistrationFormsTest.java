package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Registration;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Unmodified providers that register in a real ZooKeeper in less usual forms, and the calls of a gateway. */
@Timeout(120)
class RegistrationFormsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String TYPES = "X-Dubbo-Parameter-Types: java.lang.String\r\n";
    private static final String HASH = Integer.toString("ann".hashCode());
    private static final String GREET = "io.dubbomesh.demo.shop.Shop/greet";
    private static final String GREET_BLUE = GREET + "?version=2.0.0&group=blue";

    @FunctionalInterface
    private interface Calls {
        void make(Agent gateway) throws Exception;
    }

    static List<Jvm> versionsWithInstances() {
        return Selection.isAll() ? List.of(Jvm.DUBBO_31, Jvm.DUBBO_32, Jvm.DUBBO) : List.of(Jvm.DUBBO);
    }

    static List<Jvm> versionsWithSimplifiedEntries() {
        return Jvm.selected(Jvm.DUBBO_27, Jvm.DUBBO_32, Jvm.DUBBO);
    }

    static List<Arguments> servicesBehindPaths() {
        return selected(
                arguments(Jvm.DUBBO_27, Registration.INTERFACE, "demo"),
                arguments(Jvm.DUBBO_30, Registration.INTERFACE, "demo"),
                arguments(Jvm.DUBBO_30, Registration.INSTANCE, "demo"),
                arguments(Jvm.DUBBO_31, Registration.INSTANCE, null),
                arguments(Jvm.DUBBO_32, Registration.INTERFACE, "demo"),
                arguments(Jvm.DUBBO_32, Registration.INSTANCE_REMOTE, "demo"),
                arguments(Jvm.DUBBO, Registration.INTERFACE, "demo"),
                arguments(Jvm.DUBBO, Registration.INSTANCE, null));
    }

    /** Returns all with {@code -Dtest.all=true}, otherwise those of the oldest and of the newest version. */
    private static List<Arguments> selected(Arguments... all) {
        List<Object> versions =
                Arrays.asList(all[0].get()[0], all[all.length - 1].get()[0]);
        return Arrays.stream(all)
                .filter(each -> Selection.isAll() || versions.contains(each.get()[0]))
                .toList();
    }

    private static String[] greetings(Jvm version) {
        return version == Jvm.DUBBO_27 ? new String[0] : new String[] {GREET, GREET_BLUE};
    }

    /** The instance names only one of the ports (dubbo#10739). */
    @ParameterizedTest
    @MethodSource("versionsWithInstances")
    void theServicesOfTwoPortsOfOneProtocolAreCalled(Jvm version) throws Exception {
        Map<String, String> form = Map.of("second.port", Integer.toString(Ports.free()));
        withGateway(
                version, Registration.INSTANCE, form, Map.of(), gateway -> assertCalled(gateway, GREET, GREET_BLUE));
    }

    /** Such an entry has neither interface nor methods, nor, in Dubbo 3, the time of the start (dubbo#3856). */
    @ParameterizedTest
    @MethodSource("versionsWithSimplifiedEntries")
    void theServicesOfSimplifiedEntriesAreCalled(Jvm version) throws Exception {
        Map<String, String> form = Map.of("dubbo.registry.simplified", "true");
        withGateway(
                version, Registration.INTERFACE, form, Map.of(), gateway -> assertCalled(gateway, greetings(version)));
    }

    /**
     * Dubbo looks up the method by the interface, and the service by its path (dubbo#6138, dubbo#11184). The method's
     * timeout is preferred to the service's, as in Dubbo; the client's own to both (dubbo#6005).
     */
    @ParameterizedTest
    @MethodSource("servicesBehindPaths")
    void servicesBehindPathsAreCalledWithTheTimeoutsThatTheyRegister(
            Jvm version, Registration registration, String contextPath) throws Exception {
        Map<String, String> form = new HashMap<>(
                Map.of("path", "hello", "delay.ms", "1000", "parameters", "timeout=200,hash.timeout=15000"));
        if (contextPath != null) {
            form.put("contextpath", contextPath);
        }
        withGateway(version, registration, form, Map.of("request.timeout", "500 ms"), gateway -> {
            assertCalled(gateway, greetings(version));
            assertEndsAtTheTimeoutOfTheRequest(gateway);
            Await.untilAsserted(
                    LIMIT,
                    () -> assertThat(call(
                                    gateway, Form.SERVICE + "/$echo", "X-Dubbo-Parameter-Types: java.lang.Object\r\n"))
                            .contains("ann"));
        });
    }

    /** Provider agents do not read what their provider registers elsewhere. */
    @ParameterizedTest
    @CsvSource({"file", "zookeeper"})
    void theTimeoutThatAnAgentIsToldIsThatOfItsCalls(String kind) throws Exception {
        Mesh mesh = Mesh.named("RegistrationFormsTest-told-timeout-" + kind);
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            String registry = kind.equals("file") ? "file:" + mesh.directory().resolve("registry") : zooKeeper.uri();
            Dubbo provider = mesh.provider(Jvm.STUB, "provider", Map.of("delay.ms", "1000"));
            mesh.providerAgent(
                    "provider-agent",
                    provider.port(),
                    registry,
                    Map.of("dubbo.services", Form.SERVICE + "?timeout=200&hash.timeout=15000"));
            Agent consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of("request.timeout", "500 ms"));
            provider.awaitListening();
            consumerAgent.awaitReady();

            Await.untilAsserted(
                    LIMIT,
                    () -> assertThat(call(consumerAgent, Form.SERVICE + "/hash", TYPES))
                            .isEqualTo(HASH));
            assertEndsAtTheTimeoutOfTheRequest(consumerAgent);
        } finally {
            mesh.end();
        }
    }

    private static void withGateway(
            Jvm version,
            Registration registration,
            Map<String, String> ofProvider,
            Map<String, String> ofGateway,
            Calls calls)
            throws Exception {
        Mesh mesh = Mesh.named("RegistrationFormsTest-" + registration + '-' + version);
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            Map<String, String> settings = new HashMap<>(registration.settings(zooKeeper));
            settings.putAll(ofProvider);
            Dubbo provider = mesh.provider(Registration.withClient(version), "provider", settings);
            settings = new HashMap<>(ofGateway);
            settings.put("type", "gateway");
            Agent gateway = mesh.consumerAgent("gateway", zooKeeper.uri(), settings);
            provider.awaitListening();
            gateway.awaitReady();

            calls.make(gateway);
        } finally {
            mesh.end();
        }
    }

    private static void assertCalled(Agent gateway, String... greetings) throws Exception {
        Await.untilAsserted(
                LIMIT, () -> assertThat(call(gateway, Form.SERVICE + "/hash")).isEqualTo(HASH));
        assertThat(call(gateway, Form.SERVICE + "/hash", TYPES)).isEqualTo(HASH);
        for (String greeting : greetings) {
            assertThat(call(gateway, greeting, Form.PATIENT + "\r\n"))
                    .contains("ann")
                    .doesNotContain("\"status\"");
        }
    }

    private static void assertEndsAtTheTimeoutOfTheRequest(Agent agent) throws Exception {
        assertThat(call(agent, Form.SERVICE + "/hash", TYPES + "X-Request-Timeout: 300\r\n"))
                .contains("\"status\":504", "300 ms after the request (X-Request-Timeout)");
    }

    private static String call(Agent gateway, String method) throws Exception {
        return call(gateway, method, "");
    }

    private static String call(Agent gateway, String method, String field) throws Exception {
        return HttpSocket.once(
                        gateway.port(),
                        "POST /" + method + " HTTP/1.1\r\nHost: mesh\r\nContent-Type: application/json\r\n" + field
                                + "Content-Length: 7\r\n\r\n[\"ann\"]")
                .text();
    }
}
