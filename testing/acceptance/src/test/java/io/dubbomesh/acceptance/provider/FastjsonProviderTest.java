package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** The 2018 benchmark's provider, Dubbo 2.6.1 with fastjson, behind an agent that uses fastjson. */
@Timeout(60)
class FastjsonProviderTest {
    private static Mesh mesh;
    private static Dubbo provider;
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("FastjsonProviderTest");
        provider = mesh.provider(Jvm.DUBBO_26, "provider", Map.of("delay.ms", "0", "serialization", "fastjson"));
        provider.awaitListening();
        String registry = "file:" + mesh.directory().resolve("registry");
        mesh.providerAgent("provider-agent", provider.port(), registry, Map.of("dubbo.serialization", "fastjson"))
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
}
