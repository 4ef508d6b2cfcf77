package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of services of an instance that has registered before its metadata service answers (dubbo-go#3615). */
class LateExportsTest extends AgentTest {
    private static final String REASON = "192.0.2.1:20880: Connection refused";

    private final String name = UUID.randomUUID().toString();
    private final ScriptedRegistry.Content registry = ScriptedRegistry.content(name);
    private ScriptedProvider provider;

    @BeforeEach
    void register() throws Exception {
        provider = opened(new ScriptedProvider()).serve((connection, call) -> connection.answerInt(call.id(), 42));
        registry.register("a.B", provider.port(), "version=1.0");
        startWithRegistry(Map.of("dubbo.inquiry", "false", "lb.slow-start", "0 s"), "scripted://" + name);
        registry.registerInstance(provider.port() + 1);
        Await.until("the instance is known", () -> callService("a.Late").status() == 503);
    }

    @Test
    void aServiceThatIsNotListedMayBeOneOfThoseThatAreNotKnownYet() throws Exception {
        assertThat(callService("a.Late").assertProblem(503, "NO_PROVIDER").get("detail"))
                .isEqualTo("no endpoint of a.Late is listed; it may be a service of an application whose metadata was"
                        + " not found yet: late: it is being asked");

        registry.answer(null, REASON);
        registry.answer(null, REASON);
        Await.until("the reason is known", () -> callService("a.Late").text().contains("late: " + REASON));
        callService("a.Late").assertProblem(503, "NO_PROVIDER");
    }

    @Test
    void soMayAVersionThatNoListedProviderServes() throws Exception {
        assertThat(callService("a.B", "X-Dubbo-Version: 2.0")
                        .assertProblem(503, "NO_PROVIDER")
                        .get("detail"))
                .contains("no provider serves a.B with version \"2.0\"")
                .endsWith("late: it is being asked");
        assertThat(callService("a.B", "X-Dubbo-Version: 1.0").text()).isEqualTo("42");
    }

    @Test
    void onceAllExportsAreKnownAServiceThatIsNotListedIsNotFound() throws Exception {
        registry.answer(
                "{\"app\":\"late\",\"revision\":\"r1\",\"services\":{\"a\":{\"name\":\"a.Late\",\"protocol\":\"dubbo\","
                        + "\"path\":\"a.Late\",\"port\":" + provider.port() + ",\"params\":{}}}}",
                null);
        Await.until("its service is listed", () -> callService("a.Late").text().equals("42"));

        callService("a.Other").assertProblem(404, "SERVICE_NOT_FOUND");
        callService("a.B", "X-Dubbo-Version: 2.0").assertProblem(404, "METHOD_NOT_FOUND");
    }
}
