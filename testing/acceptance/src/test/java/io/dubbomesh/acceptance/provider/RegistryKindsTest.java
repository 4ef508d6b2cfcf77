package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Agents that find each other by a folder or by a fixed list, and consumer agents that are there before the others.
 */
@Timeout(180)
class RegistryKindsTest {
    private static Mesh mesh;
    private static Dubbo provider;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("RegistryKindsTest");
        provider = mesh.provider(Jvm.STUB, "provider", Map.of("delay.ms", "0"));
        provider.awaitListening();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    @Test
    void callsFollowTheAgentsInAFileRegistry() throws Exception {
        Path folder = mesh.directory().resolve("folder");
        String registry = "file:" + folder;
        Agent consumerAgent = mesh.consumerAgent("file-consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();
        call(consumerAgent).assertProblem(404, "SERVICE_NOT_FOUND");

        Agent providerAgent = mesh.providerAgent("file-provider-agent", provider.port(), registry, Map.of());
        providerAgent.awaitReady();
        Await.until("the consumer agent sees it", () -> call(consumerAgent).status() == 200);
        call(consumerAgent).assertHash("hello");
        assertThat(folder.resolve(Form.SERVICE).resolve("127.0.0.1_" + providerAgent.port()))
                .exists();

        providerAgent.process().send(Signal.TERM);
        assertThat(providerAgent.process().awaitExit(Duration.ofSeconds(10))).isZero();
        try (Stream<Path> files = Files.list(folder.resolve(Form.SERVICE))) {
            assertThat(files).isEmpty();
        }
        Await.until(
                "the consumer agent sees that it left",
                () -> call(consumerAgent).status() == 503);
        call(consumerAgent).assertProblem(503, "NO_PROVIDER");
    }

    @Test
    void callsAreSpreadByTheWeightsOfAStaticRegistry() throws Exception {
        Dubbo other = mesh.provider(Jvm.STUB, "other-provider", Map.of("delay.ms", "0"));
        other.awaitListening();
        // A provider agent registers nothing with a static registry.
        String nowhere = "static:127.0.0.1:1*1";
        Agent one = mesh.providerAgent("static-provider-agent-1", provider.port(), nowhere, Map.of());
        Agent two = mesh.providerAgent("static-provider-agent-2", other.port(), nowhere, Map.of());
        one.awaitReady();
        two.awaitReady();
        Agent consumerAgent = mesh.consumerAgent(
                "static-consumer-agent",
                "static:127.0.0.1:" + one.port() + "*1,127.0.0.1:" + two.port() + "*3",
                Map.of("event-loops", "1"));
        consumerAgent.awaitReady();
        // It is ready with the link to either of them; the other one's calls go there until it has its own.
        int unused = provider.executed();
        int otherUnused = other.executed();
        Await.until("both are called", () -> {
            call(consumerAgent).assertHash("hello");
            return provider.executed() > unused && other.executed() > otherUnused;
        });
        int before = provider.executed();
        int otherBefore = other.executed();
        for (int i = 0; i < 40; i++) {
            call(consumerAgent).assertHash("hello");
        }
        assertThat(provider.executed() - before).isEqualTo(10);
        assertThat(other.executed() - otherBefore).isEqualTo(30);

        String form = Form.call("io.dubbomesh.acceptance.Nobody", "hash", Form.STRING, "x");
        HttpSocket.once(consumerAgent.port(), Form.post(form)).assertProblem(404, "SERVICE_NOT_FOUND");
    }

    @Test
    void aConsumerAgentWaitsForEtcdAndThenForProviders() throws Exception {
        EtcdServer etcd = mesh.etcd();
        etcd.kill();
        Agent consumerAgent = mesh.consumerAgent("early-consumer-agent", etcd.uri(), Map.of());
        consumerAgent.process().awaitOutput("listening on", Duration.ofSeconds(30));
        assertThat(consumerAgent.isReady()).isFalse();
        call(consumerAgent).assertProblem(503, "NO_PROVIDER");

        etcd.start();
        consumerAgent.awaitReady();
        call(consumerAgent).assertProblem(404, "SERVICE_NOT_FOUND");

        Agent providerAgent = mesh.providerAgent("late-provider-agent", provider.port(), etcd.uri(), Map.of());
        providerAgent.awaitReady();
        Await.until("the consumer agent sees it", () -> call(consumerAgent).status() == 200);
        call(consumerAgent).assertHash("hello");
    }

    private static HttpAnswer call(Agent consumerAgent) throws Exception {
        return HttpSocket.once(consumerAgent.port(), Form.post(Form.hash("hello")));
    }
}
