package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * mesh-agent.jar starts the agent that its type selects, with the settings of the 2018 benchmark's start script. The
 * provider is that of the benchmark, Dubbo 2.6.1 with fastjson.
 */
@Timeout(120)
class OneJarTest {
    @Test
    void eitherAgentStartsAsTheStartScriptOf2018StartsItAndCallsAreAnswered() throws Exception {
        Mesh mesh = Mesh.named("OneJarTest");
        String etcdUrl = mesh.etcd().uri().replace("etcd:", "http:");
        Path logs = mesh.directory().resolve("logs");
        Dubbo provider = mesh.provider(Jvm.DUBBO_26, "provider", Map.of("delay.ms", "0", "serialization", "fastjson"));
        provider.awaitListening();
        Agent providerAgent = mesh.providerAgent(
                Jvm.MESH_AGENT,
                "provider-agent",
                Map.of(
                        "type",
                        "provider",
                        "dubbo.protocol.port",
                        Integer.toString(provider.port()),
                        "etcd.url",
                        etcdUrl,
                        "logs.dir",
                        logs.toString(),
                        "dubbo.serialization",
                        "fastjson",
                        "dubbo.services",
                        Form.SERVICE,
                        "mesh.open",
                        "true",
                        "lb.weight",
                        "3"));
        Agent consumerAgent = mesh.consumerAgent(
                Jvm.MESH_AGENT,
                "consumer-agent",
                Map.of("type", "consumer", "etcd.url", etcdUrl, "logs.dir", logs.toString()));
        providerAgent.awaitReady();
        consumerAgent.awaitReady();
        Await.until(
                Duration.ofSeconds(30),
                "the service is there to call",
                () -> HttpSocket.once(consumerAgent.port(), Form.post(Form.hash(""), Form.PATIENT))
                                .status()
                        == 200);

        for (String text : Form.TEXTS) {
            int before = provider.executed();
            HttpSocket.once(consumerAgent.port(), Form.post(Form.hash(text), Form.PATIENT))
                    .assertHash(text);
            assertThat(provider.executed() - before).isEqualTo(1);
        }
        try (Load load = Load.start(consumerAgent.port(), 64, 20).join()) {
            assertThat(load.failures()).isEmpty();
            assertThat(load.right()).hasSize(64 * 20);
        }
        HttpSocket.once(
                        consumerAgent.port(),
                        Form.post(Form.call(Form.SERVICE, "nope", Form.STRING, "x"), Form.PATIENT))
                .assertProblem(404, "METHOD_NOT_FOUND");

        mesh.end();
        assertThat(logs.resolve("provider-agent.log"))
                .content()
                .contains("stopped")
                .doesNotContain("ERROR");
        assertThat(logs.resolve("consumer-agent.log"))
                .content()
                .contains("stopped")
                .doesNotContain("ERROR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Consumer", "both"})
    void anotherTypeIsRefused(String type) throws Exception {
        RunningProcess process = Jvm.MESH_AGENT.start(
                Mesh.named("OneJarTest-type").directory().resolve("agent.log"), Map.of("type", type));
        assertThat(process.awaitExit(Duration.ofSeconds(30))).isEqualTo(2);
        assertThat(process.output()).isEqualTo("type: " + type + " (expected: consumer, provider or gateway)\n");
    }

    @Test
    void aGatewayWithoutARegistryIsRefused() throws Exception {
        RunningProcess process = Jvm.MESH_AGENT.start(
                Mesh.named("OneJarTest-gateway").directory().resolve("agent.log"), Map.of("type", "gateway"));
        assertThat(process.awaitExit(Duration.ofSeconds(30))).isEqualTo(2);
        assertThat(process.output())
                .startsWith("registry: ")
                .contains("(expected: the registry that lists the providers, for type gateway)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStartWithoutATypeIsRefused(boolean isEmpty) throws Exception {
        RunningProcess process = Jvm.MESH_AGENT.start(
                Mesh.named("OneJarTest-none").directory().resolve("agent.log"),
                isEmpty ? Map.of("type", "") : Map.of());
        assertThat(process.awaitExit(Duration.ofSeconds(30))).isEqualTo(2);
        assertThat(process.output()).isEqualTo("type: not set (expected: consumer, provider or gateway)\n");
    }
}
