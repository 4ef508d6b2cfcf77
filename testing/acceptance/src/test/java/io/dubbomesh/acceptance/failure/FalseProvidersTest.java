package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.OtherServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Agents whose provider's port is that of something else, beside one with a provider: Triple alone (Dubbo 3.3.6), a
 * ZooKeeper, a socket that says nothing.
 */
@Timeout(120)
class FalseProvidersTest {
    private static final Duration TO_NOTICE = Duration.ofSeconds(60);
    private static final int CALLS = 2_000;
    private static final int CLIENTS = 20;
    private static final int MAX_LINES = 5;

    private static final Map<String, Agent> FALSE_ONES = new HashMap<>();
    private static Mesh mesh;
    private static OtherServer zooKeeper;
    private static OtherServer silent;
    private static Dubbo provider;
    private static Agent consumerAgent;
    private static Path registry;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("FalseProvidersTest");
        registry = mesh.directory().resolve("registry");
        zooKeeper = OtherServer.zooKeeper();
        silent = OtherServer.silent();
        provider = mesh.provider(Jvm.STUB, "provider", Map.of("delay.ms", "0"));
        Dubbo triple = mesh.provider(Jvm.DUBBO, "triple", Map.of("delay.ms", "0", "dubbo.protocol.name", "tri"));
        provider.awaitListening();
        triple.awaitListening();
        startFalse("triple", triple.port());
        startFalse("zookeeper", zooKeeper.port());
        startFalse("silent", silent.port());
        mesh.providerAgent("provider-agent", provider.port(), "file:" + registry, Map.of())
                .awaitReady();
        consumerAgent = mesh.consumerAgent("consumer-agent", "file:" + registry, Map.of());
        consumerAgent.awaitReady();
    }

    /** Tries so often that within seconds it fails as often as by default in minutes. */
    private static void startFalse(String name, int port) throws Exception {
        Map<String, String> often = Map.of("dubbo.reconnect", "20 ms", "dubbo.reconnect.max", "20 ms");
        FALSE_ONES.put(name, mesh.providerAgent(name + "-agent", port, "file:" + registry, often));
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        zooKeeper.close();
        silent.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"triple", "zookeeper", "silent"})
    void whatIsNotAProviderIsNamedOnce(String name) throws Exception {
        Agent agent = FALSE_ONES.get(name);
        String reason = "takes no calls: it does not answer a Dubbo heartbeat";
        agent.process().awaitOutput(reason, TO_NOTICE);

        assertThat(agent.isReady()).isFalse();
        String expected = switch (name) {
            case "triple" -> "it speaks HTTP/2, as Triple does, and not Dubbo 2: set dubbo.protocol.name=tri";
            case "zookeeper" -> "it is a ZooKeeper, not a provider: dubbo.protocol.port";
            default -> "it does not speak Dubbo 2: dubbo.protocol.port";
        };
        assertThat(agent.readiness()).contains(reason, expected);
        assertThat(agent.process().output().lines().filter(line -> line.contains(expected)))
                .hasSize(1);
    }

    @Test
    void callsGoToTheProviderAlone() throws Exception {
        for (Agent agent : FALSE_ONES.values()) {
            agent.process().awaitOutput("takes no calls: ", TO_NOTICE);
        }
        int before = provider.executed();
        try (Load load =
                Load.start(consumerAgent.port(), CLIENTS, CALLS / CLIENTS).join()) {
            assertThat(load.failures()).isEmpty();
            assertThat(load.right()).hasSize(CALLS);
        }

        assertThat(provider.executed() - before).isEqualTo(CALLS);
        assertThat(zooKeeper.accepted()).as("attempts").isGreaterThan(100);
        try (Stream<Path> entries = Files.list(registry.resolve(Form.SERVICE))) {
            assertThat(entries).hasSize(1);
        }
        for (Agent agent : FALSE_ONES.values()) {
            List<String> lines = agent.process().output().lines().toList();
            assertThat(lines).hasSizeLessThanOrEqualTo(MAX_LINES).noneMatch(line -> line.contains("registered"));
        }
    }

    @Test
    void theProtocolOfTheAdviceIsServed() throws Exception {
        Dubbo both = mesh.provider(
                Jvm.DUBBO,
                "triple-and-dubbo",
                Map.of("delay.ms", "0", "dubbo.protocol.name", "tri", "dubbo.protocol.ext-protocol", "dubbo"));
        both.awaitListening();
        String own = "file:" + mesh.directory().resolve("registry-of-both");
        mesh.providerAgent("agent-of-both", both.port(), own, Map.of()).awaitReady();
    }
}
