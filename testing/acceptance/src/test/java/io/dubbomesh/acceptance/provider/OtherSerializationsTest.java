package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Providers whose serialization agents do not write: all of them answer heartbeats in it, and older ones calls as well.
 */
@Timeout(120)
class OtherSerializationsTest {
    private static final Duration TO_START = Duration.ofSeconds(60);
    private static Mesh mesh;
    private static Dubbo kryo;
    private static Dubbo protostuff;
    private static Agent agentOfOld;
    private static Agent consumerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("OtherSerializationsTest");
        kryo = provider(Jvm.DUBBO_27, "kryo");
        protostuff = provider(Jvm.DUBBO_27, "protostuff");
        Dubbo old = provider(Jvm.DUBBO_278, "protostuff");
        agent("kryo", kryo);
        agent("protostuff", protostuff);
        agentOfOld = agent("old", old);
        consumerAgent = mesh.consumerAgent("consumer-agent", registry(), Map.of());
        consumerAgent.awaitReady();
    }

    private static Dubbo provider(Jvm version, String serialization) throws Exception {
        return mesh.provider(
                version, version + "-" + serialization, Map.of("delay.ms", "0", "serialization", serialization));
    }

    private static Agent agent(String name, Dubbo provider) throws Exception {
        return mesh.providerAgent(name + "-agent", provider.port(), registry(), Map.of());
    }

    private static String registry() {
        return "file:" + mesh.directory().resolve("registry");
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    @Test
    void dubbo2723AnswersInHessian2WhateverItIsConfiguredWith() throws Exception {
        Await.until(TO_START, "both are called", () -> {
            HttpSocket.once(consumerAgent.port(), Form.post(Form.hash("hello"), Form.PATIENT));
            return kryo.executed() > 0 && protostuff.executed() > 0;
        });

        int before = kryo.executed() + protostuff.executed();
        for (int i = 0; i < 20; i++) {
            HttpSocket.once(consumerAgent.port(), Form.post(Form.hash("hello " + i), Form.PATIENT))
                    .assertHash("hello " + i);
        }
        assertThat(kryo.executed() + protostuff.executed() - before).isEqualTo(20);
    }

    @Test
    void anOlderOneIsNotRegisteredAndTheAgentSaysWhatToSet() throws Exception {
        agentOfOld.process().awaitOutput("not registered until it does", TO_START);

        assertThat(agentOfOld.isReady()).isFalse();
        assertThat(agentOfOld.readiness())
                .contains(" does not export " + Form.SERVICE
                        + " of dubbo.services; it answers: the provider answered in protostuff, which the agent does not read"
                        + " (expected: hessian2, fastjson, fastjson2): set the provider's serialization to hessian2");
    }
}
