package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A provider of Dubbo 3.3.6 that accepts fastjson2 only, behind an agent that uses it. */
@Timeout(60)
class Fastjson2ProviderTest {
    /**
     * Dubbo accepts its default serialization besides those that a service names; without this property that is
     * hessian2.
     */
    private static final Map<String, String> FASTJSON2_ALONE =
            Map.of("delay.ms", "0", "serialization", "fastjson2", "DUBBO_DEFAULT_SERIALIZATION", "fastjson2");

    private static Mesh mesh;
    private static Dubbo provider;
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("Fastjson2ProviderTest");
        provider = mesh.provider(Jvm.DUBBO, "provider", FASTJSON2_ALONE);
        provider.awaitListening();
        String registry = "file:" + mesh.directory().resolve("registry");
        mesh.providerAgent("provider-agent", provider.port(), registry, Map.of("dubbo.serialization", "fastjson2"))
                .awaitReady();
        consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();
        Load.warmUp(consumerAgent.port());
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "quote \" and backslash \\ and slash /",
                "{\"@type\":\"java.lang.Class\"}",
                "line\r\nand tab\t and nul \u0000 and \u001f and del \u007f",
                "\u00e4\u00f6\u00fc",
                "\u2028\u2029",
                "\u00e4\u00f6\u00fc \u4f60\u597d \ud83d\ude00",
            })
    void textOfEveryKindIsHashed(String text) throws Exception {
        int before = provider.executed();
        HttpSocket.once(consumerAgent.port(), Form.post(Form.hash(text))).assertHash(text);
        assertThat(provider.executed() - before).isEqualTo(1);
    }

    @Test
    void manyCallsAtOnceAreAnswered() throws Exception {
        try (Load load = Load.start(consumerAgent.port(), 64, 20).join()) {
            assertThat(load.failures()).isEmpty();
            assertThat(load.right()).hasSize(64 * 20);
        }
    }

    @Test
    void anUnknownMethodIsNotFound() throws Exception {
        String form = Form.call(Form.SERVICE, "nope", Form.STRING, "x");
        HttpSocket.once(consumerAgent.port(), Form.post(form)).assertProblem(404, "METHOD_NOT_FOUND");
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
