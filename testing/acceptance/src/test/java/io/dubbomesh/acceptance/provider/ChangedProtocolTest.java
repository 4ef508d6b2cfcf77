package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Registration;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real providers of Dubbo 3.3.6 in a real ZooKeeper, one of which goes over to Triple and back at the same port while
 * the service is called.
 */
@Timeout(180)
class ChangedProtocolTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    @Test
    void noCallFailsWhenAProviderChangesItsProtocol() throws Exception {
        Mesh mesh = Mesh.named("ChangedProtocolTest");
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"))) {
            Map<String, String> settings = new HashMap<>(Registration.ALL.settings(zooKeeper));
            settings.put("delay.ms", "5");
            String host = settings.get("host");
            Dubbo staying = mesh.provider(Registration.withClient(Jvm.DUBBO), "staying", settings);
            Dubbo changing = mesh.provider(Registration.withClient(Jvm.DUBBO), "changing", settings);
            Agent gateway = mesh.consumerAgent("gateway", zooKeeper.uri(), Map.of("type", "gateway"));
            staying.awaitListening();
            changing.awaitListening();
            gateway.awaitReady();
            String asDubbo = host + ':' + changing.port();
            String asTriple = "tri://" + asDubbo;
            awaitListed(gateway, List.of(asDubbo, host + ':' + staying.port()), List.of(asTriple));

            try (Load load = Load.startSteady(gateway.port(), 8)) {
                load.awaitMore(200);
                for (String protocol : List.of("tri", "dubbo")) {
                    changing.process().send(Signal.TERM);
                    changing.process().awaitExit(LIMIT);
                    load.awaitMore(100);
                    Map<String, String> changed = new HashMap<>(settings);
                    changed.put("dubbo.protocol.name", protocol);
                    changing = mesh.provider(
                            Registration.withClient(Jvm.DUBBO), "changing-to-" + protocol, changing.port(), changed);
                    changing.awaitListening();
                    boolean isTriple = protocol.equals("tri");
                    awaitListed(
                            gateway, List.of(isTriple ? asTriple : asDubbo), List.of(isTriple ? asDubbo : asTriple));
                    load.awaitMore(300);
                }
                assertThat(load.stop().failures()).isEmpty();
            }
            assertThat(changing.executed()).isPositive();
        } finally {
            mesh.end();
        }
    }

    private static void awaitListed(Agent gateway, List<String> listed, List<String> gone) throws Exception {
        Await.until(LIMIT, listed + " and not " + gone, () -> {
            String endpoints = gateway.admin("GET endpoints", "").text();
            return listed.stream().allMatch(id -> endpoints.contains("\"id\":\"" + id + '"'))
                    && gone.stream().noneMatch(id -> endpoints.contains("\"id\":\"" + id + '"'));
        });
    }
}
