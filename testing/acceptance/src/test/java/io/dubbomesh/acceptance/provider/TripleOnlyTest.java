package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Registration;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** Unmodified providers of Dubbo 3.3 that speak Triple, registered in a real ZooKeeper, and a gateway. */
@Timeout(120)
class TripleOnlyTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    static List<Registration> registrations() {
        return Selection.of(Registration.values(), Set.of(Registration.INTERFACE, Registration.INSTANCE));
    }

    @ParameterizedTest
    @MethodSource("registrations")
    void aProviderOfTripleAloneIsCalled(Registration registration) throws Exception {
        Map<String, String> protocol = Map.of("dubbo.protocol.name", "tri");
        assertCalled("TripleOnlyTest-" + registration, registration, protocol, "dubbo", "tri://");
    }

    /** The metadata names both protocols of a port, and so do the URLs up to Dubbo 3.2. */
    @ParameterizedTest
    @CsvSource({"ALL, tri, dubbo, dubbo, ''", "ALL, tri, dubbo, tri, tri://"})
    void aPortOfBothProtocolsIsCalledByThePreferredOne(
            Registration registration, String name, String second, String preferred, String scheme) throws Exception {
        Map<String, String> protocol = Map.of("dubbo.protocol.name", name, "dubbo.protocol.ext-protocol", second);
        assertCalled(
                "TripleOnlyTest-" + registration + "-prefer-" + preferred, registration, protocol, preferred, scheme);
    }

    private static void assertCalled(
            String name, Registration registration, Map<String, String> protocol, String preferred, String scheme)
            throws Exception {
        Mesh mesh = Mesh.named(name);
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            Map<String, String> settings = new HashMap<>(registration.settings(zooKeeper));
            settings.putAll(protocol);
            Dubbo provider = mesh.provider(Registration.withClient(Jvm.DUBBO), "provider", settings);
            Agent gateway = mesh.consumerAgent(
                    "gateway", zooKeeper.uri(), Map.of("type", "gateway", "dubbo.prefer", preferred));
            provider.awaitListening();
            gateway.awaitReady();

            Await.untilAsserted(
                    LIMIT,
                    () -> HttpSocket.once(gateway.port(), Form.post(Form.hash("ann")))
                            .assertHash("ann"));
            assertThat(gateway.admin("GET endpoints", "").text())
                    .contains("{\"id\":\"" + scheme + settings.get("host") + ':' + provider.port() + "\",")
                    .containsOnlyOnce("\"id\":")
                    .doesNotContain("notCallable");
        } finally {
            mesh.end();
        }
    }
}
