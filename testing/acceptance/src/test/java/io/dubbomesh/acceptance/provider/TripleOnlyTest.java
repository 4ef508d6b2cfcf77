package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Doctor;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** An unmodified provider of Dubbo 3.3 that speaks Triple alone, registered in a real ZooKeeper, and a gateway. */
@Timeout(120)
class TripleOnlyTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String STATE = "Triple only, cannot be called yet";

    static List<Registration> registrations() {
        return Selection.of(Registration.values(), Set.of(Registration.INTERFACE, Registration.INSTANCE));
    }

    static List<Registration> mendedRegistrations() {
        Registration[] all = {Registration.INTERFACE, Registration.INSTANCE_REMOTE};
        return Selection.of(all, Set.of(Registration.INSTANCE_REMOTE));
    }

    @ParameterizedTest
    @MethodSource("registrations")
    void everyPlaceNamesTheProviderAndSaysThatItCannotBeCalled(Registration registration) throws Exception {
        Mesh mesh = Mesh.named("TripleOnlyTest-" + registration);
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            Map<String, String> settings = new HashMap<>(registration.settings(zooKeeper));
            settings.put("dubbo.protocol.name", "tri");
            Dubbo provider = mesh.provider(Registration.withClient(Jvm.DUBBO), "provider", settings);
            Agent gateway = mesh.consumerAgent("gateway", zooKeeper.uri(), Map.of("type", "gateway"));
            provider.awaitListening();
            gateway.awaitReady();
            String address = "tri://" + settings.get("host") + ':' + provider.port();

            Await.untilAsserted(LIMIT, () -> {
                HttpAnswer answer = HttpSocket.once(gateway.port(), Form.post(Form.hash("ann")));
                assertThat(answer.text()).contains(address, STATE);
            });
            gateway.process().awaitOutput("provider " + address + " (application ", LIMIT);
            assertThat(gateway.process().output()).contains(STATE + "; let it register the protocol dubbo too");
            assertThat(gateway.admin("GET endpoints", "").text()).contains(address, "\"notCallable\":\"" + STATE);
            Doctor.of(gateway)
                    .assertFinds(
                            "WARN  endpoint " + address + ": " + STATE,
                            "let the provider register the protocol dubbo too: …");
        } finally {
            mesh.end();
        }
    }

    /** The metadata service speaks Triple even if the provider is registered by instance alone. */
    @ParameterizedTest
    @MethodSource("mendedRegistrations")
    void aProviderThatFollowsTheAdviceIsCalled(Registration registration) throws Exception {
        Mesh mesh = Mesh.named("TripleOnlyTest-mended-" + registration);
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            Map<String, String> settings = new HashMap<>(registration.settings(zooKeeper));
            settings.put("dubbo.protocol.name", "tri");
            settings.put("dubbo.protocol.ext-protocol", "dubbo");
            Dubbo provider = mesh.provider(Registration.withClient(Jvm.DUBBO), "provider", settings);
            Agent gateway = mesh.consumerAgent("gateway", zooKeeper.uri(), Map.of("type", "gateway"));
            provider.awaitListening();
            gateway.awaitReady();

            Await.untilAsserted(
                    LIMIT,
                    () -> HttpSocket.once(gateway.port(), Form.post(Form.hash("ann")))
                            .assertHash("ann"));
            assertThat(gateway.admin("GET endpoints", "").text()).doesNotContain("notCallable");
        } finally {
            mesh.end();
        }
    }
}
