package io.dubbomesh.acceptance.operation;

import io.dubbomesh.acceptance.compatibility.Call;
import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.SpanReceiver.Span;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The trace of a call through a whole mesh, as a collector of OpenTelemetry and a provider of Dubbo 3 see it. The
 * collector is a receiver in this process, or a real one: see scripts/collector.sh.
 */
@Timeout(180)
class TracesTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    /** The trace of the calls that are not about spans. */
    private static final String OTHER_TRACE = "0af7651916cd43dd8448eb211c80319c";

    private static final String CLIENT = "00f067aa0ba902b7";
    private static final String METHOD = Call.CONFORMANCE + "/attachment";
    private static final Duration TO_ARRIVE = Duration.ofSeconds(20);

    private static Mesh mesh;
    private static Collector collector;
    private static Agent consumerAgent;
    private static Agent providerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("TracesTest");
        collector = Collector.start(mesh.directory());
        Dubbo provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0", "conformance", "true"));
        Path registry = mesh.directory().resolve("registry");
        Map<String, String> tracing = Map.of(
                "otel.exporter.otlp.endpoint", collector.endpoint(),
                "otel.metrics.exporter", "none",
                "otel.traces.exporter", "otlp",
                "otel.traces.sampler.arg", "0",
                "otel.bsp.schedule.delay", "100 ms");
        provider.awaitListening();
        Map<String, String> ofProvider = new HashMap<>(tracing);
        ofProvider.remove("otel.traces.sampler.arg");
        ofProvider.put("dubbo.services", Call.CONFORMANCE);
        providerAgent = mesh.providerAgent("provider-agent", provider.port(), "file:" + registry, ofProvider);
        consumerAgent = mesh.consumerAgent("consumer-agent", "file:" + registry, tracing);
        providerAgent.awaitReady();
        consumerAgent.awaitReady();
        Await.until(TO_ARRIVE, "a call is executed", () -> attachment("none").status() == 200);
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        collector.close();
    }

    private static String sampled(String trace) {
        return "traceparent: 00-" + trace + "-" + CLIENT + "-01";
    }

    /** Asks the provider for an attachment of the call. */
    private static HttpAnswer attachment(String key, String... headers) throws Exception {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = Form.PATIENT;
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            return client.call(Form.post(Form.call(Call.CONFORMANCE, "attachment", Form.STRING, key), all));
        }
    }

    @Test
    void theCollectorGetsTheFourSpansOfACallInOrderUnderTheTraceOfItsClient() throws Exception {
        HttpAnswer answer = attachment("traceparent", sampled(TRACE), "baggage: user=7");
        assertThat(answer.status()).isEqualTo(200);
        String seenByProvider = answer.text();

        Await.until(TO_ARRIVE, "four spans", () -> spansOf(TRACE).size() >= 4);
        List<Span> spans = spansOf(TRACE);
        assertThat(spans).hasSize(4);
        Span http = child(spans, CLIENT);
        Span meshClient = child(spans, http.id());
        Span meshServer = child(spans, meshClient.id());
        Span dubbo = child(spans, meshServer.id());
        List<Span> inOrder = List.of(http, meshClient, meshServer, dubbo);
        assertThat(inOrder).extracting(Span::name).containsExactly("POST /", METHOD, METHOD, METHOD);
        assertThat(inOrder).extracting(Span::kind).containsExactly(Span.SERVER, Span.CLIENT, Span.SERVER, Span.CLIENT);
        assertThat(inOrder).extracting(Span::startNs).isSorted();
        assertThat(seenByProvider).isEqualTo("00-" + TRACE + "-" + dubbo.id() + "-01");
        assertThat(attachment("baggage", "baggage: user=7").text()).isEqualTo("user=7");
    }

    private static List<Span> spansOf(String trace) throws Exception {
        return collector.spans().stream()
                .filter(span -> span.traceId().equals(trace))
                .toList();
    }

    private static Span child(List<Span> spans, String parent) {
        List<Span> children =
                spans.stream().filter(span -> span.parentId().equals(parent)).toList();
        assertThat(children).as("children of " + parent).hasSize(1);
        return children.get(0);
    }

    @Test
    void theHistogramsOfBothAgentsNameTheTraceAsAnExemplar() throws Exception {
        attachment("traceparent", sampled(OTHER_TRACE));
        for (Agent agent : List.of(consumerAgent, providerAgent)) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + agent.adminPort() + "/metrics"))
                    .header("Accept", "application/openmetrics-text;version=1.0.0")
                    .build();
            String metrics = HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
            assertThat(metrics)
                    .containsPattern("_request_duration_seconds_bucket\\{[^}]*method=\"attachment\"[^}]*} [0-9]+ # "
                            + "\\{span_id=\"[0-9a-f]{16}\",trace_id=\"" + OTHER_TRACE + "\"} [0-9.E-]+ [0-9.]+\n");
        }
    }

    @Test
    void aFailureNamesItsTrace() throws Exception {
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            HttpAnswer answer = client.call(Form.post(
                    Form.call(Call.CONFORMANCE, "noSuchMethod", Form.STRING, "x"), sampled(OTHER_TRACE), Form.PATIENT));
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains("\"traceId\":\"" + OTHER_TRACE + "\"");
        }
    }
}
