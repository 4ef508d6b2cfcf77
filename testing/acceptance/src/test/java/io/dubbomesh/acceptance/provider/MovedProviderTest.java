package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A real provider of Dubbo 3.3.6 in a real ZooKeeper, which gets an agent and loses it again while it is called. */
@Timeout(120)
class MovedProviderTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** On a busy machine; less than the three seconds after which a silent link is lost. */
    private static final Duration AT_ONCE = Duration.ofMillis(2_500);

    private static Mesh mesh;
    private static LocalZooKeeper zooKeeper;
    private static ZooKeeperOperator operator;
    private static String registry;
    private static Dubbo provider;
    private static Agent gateway;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("MovedProviderTest");
        zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"));
        registry = zooKeeper.uri();
        operator = zooKeeper.connect();
        // Then it does not list what it exports.
        provider = mesh.provider(
                Jvm.DUBBO, "provider", Map.of("delay.ms", "1", "dubbo.application.register-mode", "interface"));
        provider.awaitListening();
        register();
        gateway = mesh.consumerAgent("gateway", registry, Map.of("type", "gateway"));
        gateway.awaitReady();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        operator.close();
        zooKeeper.close();
    }

    /** Registers as Dubbo does. */
    private static void register() throws Exception {
        String url = "dubbo://127.0.0.1:" + provider.port() + '/' + Form.SERVICE + "?application=demo&interface="
                + Form.SERVICE + "&side=provider&timestamp=1";
        operator.register(Form.SERVICE, url);
    }

    @Test
    void aProviderIsMovedToItsAgentAndBackWithoutALostCall() throws Exception {
        try (Load load = Load.startSteady(gateway.port(), 4)) {
            load.awaitMore(100);
            assertThat(isListed(provider.port())).isTrue();

            Agent agent = mesh.providerAgent(
                    "provider-agent",
                    provider.port(),
                    registry,
                    Map.of("dubbo.services", "auto", "dubbo.qos.port", "0", "advertise.host", "127.0.0.1"));
            agent.awaitReady();
            assertThat(agent.process().output())
                    .contains("exports 1 service, as named by the registry and confirmed by it: " + Form.SERVICE);
            Await.until(LIMIT, "called through its agent", () -> isListed(agent.port()) && !isListed(provider.port()));
            load.awaitMore(100);

            setWeight(agent, 0);
            Await.until(LIMIT, "called without its agent", () -> isListed(provider.port()));
            load.awaitMore(100);

            setWeight(agent, 1);
            Await.until(LIMIT, "called through its agent again", () -> !isListed(provider.port()));
            load.awaitMore(100);

            agent.process().send(Signal.TERM);
            assertThat(agent.process().awaitExit(LIMIT)).isZero();
            Await.until(LIMIT, "called without any agent", () -> isListed(provider.port()) && !isListed(agent.port()));
            load.awaitMore(100);
            assertThat(load.stop().failures()).isEmpty();
        }
        HttpSocket.once(gateway.port(), Form.post(Form.hash("hello"))).assertHash("hello");
    }

    @Test
    void aProviderIsCalledWithoutItsAgentAsSoonAsThatIsKilled() throws Exception {
        Agent agent = mesh.providerAgent(
                "killed-agent",
                provider.port(),
                registry,
                Map.of("dubbo.services", Form.SERVICE, "advertise.host", "127.0.0.1"));
        agent.awaitReady();
        Await.until(LIMIT, "called through its agent", () -> isListed(agent.port()) && !isListed(provider.port()));
        try (Load load = Load.startSteady(gateway.port(), 4)) {
            load.awaitMore(100);
            long killedNs = System.nanoTime();
            agent.process().kill();
            load.awaitMore(500);
            load.stop();

            // Its node is there until its session ends.
            assertThat(isListed(agent.port())).isTrue();
            assertThat(isListed(provider.port())).isTrue();
            assertThat(load.failures()).allSatisfy(failure -> {
                assertThat(failure.status()).as(failure.what()).isIn(502, 503);
                assertThat(failure.atNs() - killedNs).isLessThan(AT_ONCE.toNanos());
            });
        }
    }

    private static boolean isListed(int port) throws Exception {
        HttpAnswer endpoints = gateway.admin("GET endpoints", "");
        assertThat(endpoints.status()).isEqualTo(200);
        return endpoints.text().contains("\"id\":\"127.0.0.1:" + port + '"');
    }

    private static void setWeight(Agent agent, int weight) throws Exception {
        HttpAnswer changed =
                agent.admin("PUT endpoints/127.0.0.1:" + agent.port() + "/weight", "{\"weight\":" + weight + '}');
        assertThat(changed.status()).as("%s", changed).isEqualTo(200);
    }
}
