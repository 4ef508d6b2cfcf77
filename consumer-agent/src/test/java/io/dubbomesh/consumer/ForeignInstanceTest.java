package io.dubbomesh.consumer;

import io.dubbomesh.consumer.upstream.directory.DirectoryLog;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the answers about an instance that speaks a protocol that no agent calls, beside a provider of Dubbo. */
class ForeignInstanceTest extends AgentTest {
    private static final String STATE = "rest only, cannot be called yet";
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int FOREIGN = 8080;
    private static final String NAMED = "127.0.0.1:" + FOREIGN + " (application pages): " + STATE;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(DirectoryLog.class);

    private final String name = UUID.randomUUID().toString();
    private final ScriptedRegistry.Content registry = ScriptedRegistry.content(name);
    private ScriptedProvider provider;

    @BeforeEach
    void register() throws Exception {
        provider = opened(new ScriptedProvider()).serve((connection, call) -> connection.answerInt(call.id(), 42));
        registry.register("a.B", provider.port(), "");
        startWithRegistry(Map.of("dubbo.inquiry", "false", "lb.slow-start", "0 s"), "scripted://" + name);
        registry.registerForeignInstance(FOREIGN);
        registry.answer(null, "refused");
        registry.answer(null, "refused");
    }

    @Test
    void callsGoToTheProviderAndOthersSayThatTheInstanceCannotBeCalled() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(callService("a.B").text()).isEqualTo("42");
        }
        String ofInstance = "; it may be a service of the provider " + NAMED;
        Await.untilAsserted(
                LIMIT,
                () -> assertThat(callService("a.D")
                                .assertProblem(404, "SERVICE_NOT_FOUND")
                                .get("detail"))
                        .isEqualTo("service a.D was never registered" + ofInstance));
        assertThat(callService("a.B", "X-Dubbo-Version: 3.0")
                        .assertProblem(404, "METHOD_NOT_FOUND")
                        .get("detail"))
                .asString()
                .endsWith(ofInstance);
    }

    @Test
    void theLogAndTheAdminInterfaceNameIt() throws Exception {
        Await.untilAsserted(
                LIMIT,
                () -> assertThat(log.warnings())
                        .containsExactly("provider " + NAMED + "; let it register the protocol dubbo or tri too"));
        assertThat((List<?>) document("endpoints").get("endpoints"))
                .extracting(endpoint -> ((Map<?, ?>) endpoint).get("id") + ": " + ((Map<?, ?>) endpoint).get("services")
                        + ' ' + ((Map<?, ?>) endpoint).get("notCallable"))
                .containsExactlyInAnyOrder(
                        "127.0.0.1:" + provider.port() + ": [a.B] null", "127.0.0.1:" + FOREIGN + ": [] " + STATE);
    }

    @Test
    void itIsNotIdleAsOneThatCallsCanUse() throws Exception {
        Await.untilAsserted(
                LIMIT, () -> assertThat(document("state").get("endpoints")).isEqualTo(2L));
        assertThat((List<?>) document("endpoints").get("endpoints"))
                .extracting(endpoint -> ((Map<?, ?>) endpoint).get("id") + ": " + ((Map<?, ?>) endpoint).get("idle"))
                .contains("127.0.0.1:" + FOREIGN + ": false");
        callService("a.B");
        assertThat(document("state").get("endpointsAlive")).isEqualTo(1L);
        assertThat(document("state").get("endpointsIdle")).isEqualTo(0L);
    }

    private Map<?, ?> document(String path) throws Exception {
        return (Map<?, ?>) Json.read(
                HttpSocket.once(adminPort(), HttpSocket.request("GET /api/v1/" + path, "", "Connection: close"))
                        .text());
    }
}
