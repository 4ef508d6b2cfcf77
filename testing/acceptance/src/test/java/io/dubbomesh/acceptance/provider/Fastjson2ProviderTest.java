package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A provider of Dubbo 3.3.6 that accepts fastjson2 only, behind an agent that uses it. */
class Fastjson2ProviderTest extends SerializationTopic {
    /**
     * Dubbo accepts its default serialization besides those that a service names; without this property that is
     * hessian2.
     */
    Fastjson2ProviderTest() {
        super(Jvm.DUBBO, "fastjson2", Map.of("DUBBO_DEFAULT_SERIALIZATION", "fastjson2"));
    }

    @Test
    void anAgentThatUsesHessian2IsNotRegisteredAndNamesTheSetting() throws Exception {
        String registry = "file:" + mesh.directory().resolve("registry-of-hessian2");
        Agent agent = mesh.providerAgent("provider-agent-hessian2", provider.port(), registry, Map.of());

        Await.until(
                Duration.ofMinutes(1),
                "the provider is asked",
                () -> agent.process().output().contains("does not export"));
        assertThat(agent.isReady()).isFalse();
        assertThat(agent.readiness())
                .contains("does not export " + Form.SERVICE
                        + " of dubbo.services; it answers: status 40 in fastjson2 to a"
                        + " request in hessian2 (see dubbo.serialization)");
    }

    @Test
    void anAgentThatUsesHessian2UncheckedAnswersWithTheNameOfTheSetting() throws Exception {
        String registry = "file:" + mesh.directory().resolve("registry-of-unchecked-hessian2");
        mesh.providerAgent(
                        "provider-agent-unchecked-hessian2", provider.port(), registry, Map.of("dubbo.check", "false"))
                .awaitReady();
        Agent caller = mesh.consumerAgent("consumer-agent-hessian2", registry, Map.of());
        caller.awaitReady();
        Map<String, String> problem = HttpSocket.once(caller.port(), Form.post(Form.hash("hello"), Form.PATIENT))
                .assertProblem(404, "SERVICE_NOT_FOUND");
        assertThat(problem.get("detail")).contains("in fastjson2 to a request in hessian2 (see dubbo.serialization)");
    }
}
