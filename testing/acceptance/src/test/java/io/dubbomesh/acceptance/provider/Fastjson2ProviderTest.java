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
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A provider of Dubbo 3.3.6 that accepts fastjson2 only, behind an agent that uses it. */
@Timeout(180)
class Fastjson2ProviderTest {
    /** The provider's other service, whose agent uses hessian2. */
    private static final String SHOP = "io.dubbomesh.demo.shop.Shop";

    private static Mesh mesh;
    private static String registry;
    private static Dubbo provider;
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("Fastjson2ProviderTest");
        registry = "file:" + mesh.directory().resolve("registry");
        // Dubbo accepts its default serialization besides those that a service names; it is hessian2 without the last.
        provider = mesh.provider(
                Jvm.DUBBO,
                "provider",
                Map.of("delay.ms", "0", "serialization", "fastjson2", "DUBBO_DEFAULT_SERIALIZATION", "fastjson2"));
        provider.awaitListening();
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

    static List<String> texts() {
        return Form.TEXTS;
    }

    @ParameterizedTest
    @MethodSource("texts")
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
        Agent agent = mesh.providerAgent(
                "provider-agent-hessian2", provider.port(), registry, Map.of("dubbo.services", SHOP + ":2.0.0:blue"));

        Await.until(
                Duration.ofSeconds(40),
                "the provider is asked",
                () -> agent.process().output().contains("does not export"));
        assertThat(agent.isReady()).isFalse();
        assertThat(agent.readiness())
                .contains("does not export " + SHOP + ":2.0.0:blue"
                        + " of dubbo.services; it answers: status 40 in fastjson2 to a"
                        + " request in hessian2 (see dubbo.serialization)");
    }

    @Test
    void anAgentThatUsesHessian2UncheckedAnswersWithTheNameOfTheSetting() throws Exception {
        mesh.providerAgent(
                        "provider-agent-unchecked-hessian2",
                        provider.port(),
                        registry,
                        Map.of("dubbo.services", SHOP, "dubbo.check", "false"))
                .awaitReady();
        String form = Form.post(Form.call(SHOP, "greet", Form.STRING, "ann"), Form.PATIENT);
        Await.untilAsserted(Duration.ofSeconds(20), () -> {
            Map<String, String> problem =
                    HttpSocket.once(consumerAgent.port(), form).assertProblem(404, "SERVICE_NOT_FOUND");
            assertThat(problem.get("detail"))
                    .contains("in fastjson2 to a request in hessian2 (see dubbo.serialization)");
        });
    }
}
