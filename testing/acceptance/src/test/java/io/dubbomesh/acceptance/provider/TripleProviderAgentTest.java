package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A pair of agents before a real provider of Dubbo 3.3 that speaks Triple, or changes its protocol. */
@Timeout(120)
class TripleProviderAgentTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Mesh mesh;
    private Path registry;

    @BeforeEach
    void start() throws IOException {
        mesh = Mesh.named("TripleProviderAgentTest");
        registry = Files.createDirectory(mesh.directory().resolve("registry"));
    }

    @AfterEach
    void end() throws Exception {
        mesh.end();
    }

    private Dubbo provider(String name, int port, String protocol) throws Exception {
        Dubbo provider = mesh.provider(Jvm.DUBBO, name, port, Map.of("delay.ms", "0", "dubbo.protocol.name", protocol));
        provider.awaitListening();
        return provider;
    }

    private Agent pair(int providerPort, Map<String, String> settings) throws Exception {
        String uri = "file:" + registry;
        Agent providerAgent = mesh.providerAgent("provider-agent", providerPort, uri, settings);
        providerAgent.awaitReady();
        Agent consumerAgent = mesh.consumerAgent("consumer-agent", uri, Map.of());
        consumerAgent.awaitReady();
        return consumerAgent;
    }

    private static void assertCalled(Agent consumerAgent, String argument) throws Exception {
        Await.untilAsserted(
                LIMIT,
                () -> HttpSocket.once(consumerAgent.port(), Form.post(Form.hash(argument)))
                        .assertHash(argument));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tri", "auto"})
    void aProviderThatSpeaksTripleIsCalled(String protocol) throws Exception {
        Dubbo provider = provider("provider", Ports.free(), "tri");
        Agent consumerAgent = pair(provider.port(), Map.of("dubbo.protocol.name", protocol));

        assertCalled(consumerAgent, "ann");
    }

    @Test
    void aServiceThatTheProviderDoesNotExportByTripleIsNotRegistered() throws Exception {
        Dubbo provider = provider("provider", Ports.free(), "tri");
        Map<String, String> settings =
                Map.of("dubbo.protocol.name", "tri", "dubbo.services", Form.SERVICE + ",com.example.Nowhere");
        Agent consumerAgent = pair(provider.port(), settings);

        assertCalled(consumerAgent, "ann");
        assertThat(registry.resolve(Form.SERVICE)).isNotEmptyDirectory();
        assertThat(registry.resolve("com.example.Nowhere")).doesNotExist();
    }

    @Test
    void aProviderThatComesBackWithTheOtherProtocolIsCalledAgain() throws Exception {
        int port = Ports.free();
        Dubbo first = provider("first", port, "dubbo");
        Agent consumerAgent = pair(port, Map.of("dubbo.protocol.name", "auto"));
        assertCalled(consumerAgent, "ann");

        first.process().send(Signal.KILL);
        first.process().awaitExit(LIMIT);
        Dubbo second = provider("second", port, "tri");
        assertCalled(consumerAgent, "bob");

        second.process().send(Signal.KILL);
        second.process().awaitExit(LIMIT);
        provider("third", port, "dubbo");
        assertCalled(consumerAgent, "cid");
    }
}
