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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A provider that accepts one serialization only, behind an agent that uses it. */
@Timeout(60)
@TestInstance(Lifecycle.PER_CLASS)
abstract class SerializationTopic {
    private final Jvm jvm;
    private final String serialization;
    private final Map<String, String> settings;

    Mesh mesh;
    Dubbo provider;
    private Agent consumerAgent;

    /** @param settings of the provider, besides its serialization */
    SerializationTopic(Jvm jvm, String serialization, Map<String, String> settings) {
        this.jvm = jvm;
        this.serialization = serialization;
        this.settings = new HashMap<>(settings);
        this.settings.putAll(Map.of("delay.ms", "0", "serialization", serialization));
    }

    @BeforeAll
    void start() throws Exception {
        mesh = Mesh.named(getClass().getSimpleName());
        provider = mesh.provider(jvm, "provider", settings);
        provider.awaitListening();
        String registry = "file:" + mesh.directory().resolve("registry");
        mesh.providerAgent("provider-agent", provider.port(), registry, Map.of("dubbo.serialization", serialization))
                .awaitReady();
        consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();
        Load.warmUp(consumerAgent.port());
    }

    @AfterAll
    void end() throws Exception {
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
}
