package io.dubbomesh.consumer;

import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway calls providers itself: none of its texts sends the reader to a provider agent or a consumer agent. */
class GatewayTextsTest extends AgentTest {
    private static final String SIDECAR = "(provider|consumer)[ -]agent";

    @RegisterExtension
    final RecordedLog log = new RecordedLog(ConsumerAgent.class);

    private ScriptedProvider provider;

    /** Registers a provider of {@code a.B} that takes no notice of calls, one that is gone, and one that was ended. */
    @BeforeEach
    void start() throws Exception {
        String name = UUID.randomUUID().toString();
        ScriptedRegistry.Content registry = ScriptedRegistry.content(name);
        provider = opened(new ScriptedProvider()).serve((connection, call) -> {});
        registry.register("a.B", provider.port(), "version=1.0");
        registry.register("a.Gone", 1, "");
        registry.register("a.Ended", 1, "");
        startWithRegistry(
                Map.of("type", "gateway", "dubbo.inquiry", "false", "lb.slow-start", "0 s"), "scripted://" + name);
        registry.unregister("a.Ended", 1, "");
        Await.until("the entry has gone", () -> call("POST /a.Ended/m").text().contains("is registered now"));
    }

    private HttpAnswer call(String request) throws Exception {
        return answer(
                request.startsWith("GET")
                        ? request + " HTTP/1.1\r\nHost: mesh\r\n\r\n"
                        : Requests.json(request.substring("POST ".length()), "[]", "X-Request-Timeout: 100"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST /a.C/m | 404 | SERVICE_NOT_FOUND | service a.C was never registered",
                "POST /a.B/m | 404 | METHOD_NOT_FOUND | no provider serves a.B with version \"\" and group \"\" (served: version \"1.0\" and group \"\")",
                "GET /a.B?version=1.0 | 404 | NOT_FOUND | the methods of service a.B are not known to the gateway (Dubbo 3 does not tell them); give it",
                "POST /a.Ended/m | 503 | NO_PROVIDER | no endpoint of a.Ended is registered now: its last one has deregistered, or was cut off",
                "POST /a.Gone/m | 503 | NO_PROVIDER | no endpoint of a.Gone takes calls",
                "POST /a.B/m?version=1.0 | 504 | TIMEOUT | no answer before the deadline",
            })
    void aFailureSpeaksOfTheGatewayAndTheProvider(String request, int status, String code, String detail)
            throws Exception {
        HttpAnswer answer = call(request);

        assertThat(answer.assertProblem(status, code).get("detail")).startsWith(detail);
        assertThat(answer.text()).doesNotContainPattern(SIDECAR);
    }

    @Test
    void itTellsWhatItIs() throws Exception {
        assertThat(log.lines()).anyMatch(line -> line.startsWith("gateway listening on "));
        URI state = URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/state");
        byte[] document = state.toURL().openStream().readAllBytes();
        assertThat((Map<?, ?>) Json.read(new String(document, StandardCharsets.UTF_8)))
                .extracting("agent", "role")
                .containsExactly("consumer-agent", "gateway");
    }

    /** Dashboards and alerts know it. */
    @Test
    void itsMetricsHaveTheNameOfItsProgramAsBefore() throws Exception {
        assertThat(scrape().text()).contains("dubbomesh_build_info{agent=\"consumer-agent\"");
    }
}
