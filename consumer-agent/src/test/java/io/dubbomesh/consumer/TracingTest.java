package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.testsupport.SpanReceiver;
import io.dubbomesh.testsupport.SpanReceiver.Span;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests which requests are traced, the spans of one, and the traceparent that its call takes along. */
class TracingTest extends AgentTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CLIENT = "00f067aa0ba902b7";
    private static final String PARENT = "00-" + TRACE + "-" + CLIENT + "-01";
    private static final String SAMPLED = "traceparent: " + PARENT;
    private static final int SERVER_KIND = 2;
    private static final int CLIENT_KIND = 3;
    private static final Pattern TAKEN_ALONG =
            Pattern.compile("traceparent\0\\x37(00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})");

    private SpanReceiver collector;

    @BeforeEach
    void startCollector() throws Exception {
        collector = opened(new SpanReceiver());
    }

    private void startTracing(String ratio, ProviderPeer... providers) throws Exception {
        startTracing(ratio, Map.of(), providers);
    }

    private void startTracing(String ratio, Map<String, String> more, ProviderPeer... providers) throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("otel.exporter.otlp.endpoint", collector.endpoint());
        settings.put("otel.metrics.exporter", "none");
        settings.put("otel.traces.exporter", "otlp");
        settings.put("otel.traces.sampler.arg", ratio);
        settings.put("otel.bsp.schedule.delay", "1 ms");
        settings.putAll(more);
        start(settings, providers);
    }

    /** The traceparent of a REQUEST, or an empty text. */
    private static String parent(ProviderPeer.Received request) {
        Matcher taken = TAKEN_ALONG.matcher(new String(Hex.bytes(request.body()), UTF_8));
        return taken.find() ? taken.group(1) : "";
    }

    private Span span(int kind) throws Exception {
        Await.until("a span of kind " + kind, () -> collector.spans().stream().anyMatch(span -> span.kind() == kind));
        return collector.spans().stream()
                .filter(span -> span.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theTwoSpansOfACallContinueTheTraceOfItsClient() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("0", provider);
        HttpSocket client = client();
        client.send(Requests.form("1", SAMPLED, "tracestate: a=1", "baggage: b=2"));
        ProviderPeer.Received request = provider.nextRequest();
        provider.answer(request, 0, Flags.TEXT, "one");
        assertThat(client.answer().text()).isEqualTo("one");

        Span server = span(SERVER_KIND);
        assertThat(server.traceId()).isEqualTo(TRACE);
        assertThat(server.parentId()).isEqualTo(CLIENT);
        assertThat(server.name()).isEqualTo("POST /");
        assertThat(server.failed()).isFalse();
        assertThat(server.attributes())
                .containsEntry("http.request.method", "POST")
                .containsEntry("url.path", "/")
                .containsEntry("http.route", "/")
                .containsEntry("http.response.status_code", "200")
                .containsEntry("http.response.body.size", "3")
                .containsEntry("client.address", "127.0.0.1")
                .doesNotContainKey("error.type");
        Span call = span(CLIENT_KIND);
        assertThat(call.traceId()).isEqualTo(TRACE);
        assertThat(call.parentId()).isEqualTo(server.id());
        assertThat(call.name()).isEqualTo("a.B/m");
        assertThat(call.attributes())
                .isEqualTo(Map.of(
                        "rpc.system.name",
                        "dubbomesh",
                        "rpc.method",
                        "a.B/m",
                        "rpc.response.status_code",
                        "OK",
                        "server.address",
                        "127.0.0.1",
                        "server.port",
                        Integer.toString(provider.port())));
        assertThat(server.startNs()).isLessThanOrEqualTo(call.startNs());
        assertThat(call.startNs()).isLessThan(call.endNs());
        assertThat(call.endNs()).isLessThanOrEqualTo(server.endNs());
        assertThat(parent(request)).isEqualTo("00-" + TRACE + "-" + call.id() + "-01");
        assertThat(new String(Hex.bytes(request.body()), UTF_8)).contains("a=1").contains("b=2");
    }

    @Test
    void theCollectorKnowsTheAgentByTheNameOfItsProgramUnlessAnotherOneIsSet() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("1", provider);
        callOnce(provider);
        assertThat(collector.serviceNames()).containsOnly("consumer-agent");
    }

    @Test
    void theCollectorKnowsAGatewayAsSuch() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("1", Map.of("type", "gateway"), provider);
        callOnce(provider);
        assertThat(collector.serviceNames()).containsOnly("gateway");
    }

    @Test
    void spansAndMetricsAreSentUnderTheNameThatIsSet() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing(
                "1",
                Map.of(
                        "otel.service.name",
                        "checkout",
                        "otel.metrics.exporter",
                        "otlp",
                        "otel.metric.export.interval",
                        "20 ms"),
                provider);
        callOnce(provider);
        assertThat(collector.serviceNames()).containsOnly("checkout");
        Await.until(
                "metrics are pushed", () -> !collector.serviceNamesOfMetrics().isEmpty());
        assertThat(collector.serviceNamesOfMetrics()).containsOnly("checkout");
    }

    private void callOnce(ProviderPeer provider) throws Exception {
        HttpSocket client = client();
        client.send(Requests.form("1"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "one");
        client.answer();
        collector.awaitSpans(2);
    }

    @Test
    void aClientThatDoesNotSampleIsNotTracedAndItsTraceparentPassesThrough() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("1", provider);
        HttpSocket client = client();
        String unsampled = PARENT.replace("-01", "-00");
        client.send(Requests.form("1", "traceparent: " + unsampled));
        ProviderPeer.Received request = provider.nextRequest();
        provider.answer(request, 0, Flags.TEXT, "one");
        client.answer();
        assertThat(parent(request)).isEqualTo(unsampled);

        client.send(Requests.form("2", SAMPLED));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, "two");
        client.answer();

        span(SERVER_KIND);
        assertThat(collector.spans()).allMatch(span -> span.parentId().equals(CLIENT) || span.kind() == CLIENT_KIND);
        assertThat(collector.awaitSpans(2)).hasSize(2);
    }

    @Test
    void aRequestThatSaysNothingBeginsATraceIfItIsSampled() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("1", provider);
        HttpSocket client = client();
        for (String header : List.of("X-Request-Timeout: 5000", "traceparent: 00-" + "0".repeat(32) + "-1-01")) {
            client.send(Requests.form("1", header));
            ProviderPeer.Received request = provider.nextRequest();
            provider.answer(request, 0, Flags.TEXT, "one");
            client.answer();

            List<Span> spans = collector.awaitSpans(2);
            Span server = span(SERVER_KIND);
            assertThat(server.parentId()).isEmpty();
            assertThat(parent(request))
                    .isEqualTo(
                            "00-" + server.traceId() + "-" + span(CLIENT_KIND).id() + "-01");
            assertThat(spans).extracting(Span::traceId).containsOnly(server.traceId());
            collector.bodies().clear();
        }
    }

    @Test
    void aRequestThatSaysNothingAndIsNotSampledTakesNothingAlong() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("0", provider);
        HttpSocket client = client();
        client.send(Requests.form("1"));
        ProviderPeer.Received request = provider.nextRequest();
        provider.answer(request, 0, Flags.TEXT, "one");
        client.answer();

        assertThat(parent(request)).isEmpty();
        assertThat(request.flags()).isEqualTo(Flags.TEXT);
        assertThat(scrape().sum("dubbomesh_trace_spans_total")).isZero();
    }

    @Test
    void aCallThatIsGivenBackKeepsItsSpanAtItsSecondEndpoint() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer other = provider(180);
        startTracing("0", one, other);
        HttpSocket client = client();
        client.send(Requests.form("1", SAMPLED));
        Await.until("a frame comes", () -> !one.hasNone() || !other.hasNone());
        ProviderPeer first = one.hasNone() ? other : one;
        ProviderPeer second = first == one ? other : one;
        ProviderPeer.Received refused = first.nextRequest();
        first.refuse(refused);
        ProviderPeer.Received request = second.nextRequest();
        second.answer(request, 0, Flags.TEXT, "one");
        client.answer();

        Span call = span(CLIENT_KIND);
        assertThat(parent(request)).isEqualTo(parent(refused)).contains(call.id());
        assertThat(call.attributes())
                .containsEntry("dubbomesh.attempts", "2")
                .containsEntry("server.port", Integer.toString(second.port()));
    }

    @Test
    void aFailureIsInBothSpansAndItsProblemDocumentNamesTheTrace() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("0", provider);
        HttpSocket client = client();
        client.send(Requests.json("/a.B/m", "[1]", SAMPLED));
        provider.answer(provider.nextRequest(), 33, Flags.JSON, "{\"status\":502,\"code\":\"PROVIDER_ERROR\"}");

        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.text()).endsWith("\",\"traceId\":\"" + TRACE + "\"}");
        Span server = span(SERVER_KIND);
        assertThat(server.name()).isEqualTo("POST /a.B/m");
        assertThat(server.failed()).isTrue();
        assertThat(server.attributes())
                .containsEntry("error.type", "PROVIDER_ERROR")
                .containsEntry("http.response.status_code", "502");
        assertThat(span(CLIENT_KIND).failed()).isTrue();
        assertThat(span(CLIENT_KIND).attributes()).containsEntry("error.type", "PROVIDER_ERROR");
    }

    @Test
    void aRequestThatIsRefusedHasOneSpanWithoutTheNamesThatTheClientHasInvented() throws Exception {
        startTracing("0", provider(180));
        HttpSocket client = client();
        client.send(Requests.json("/a.B/m/too/long?x=1", "[]", SAMPLED));

        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).endsWith("\",\"traceId\":\"" + TRACE + "\"}");
        Span server = span(SERVER_KIND);
        assertThat(server.name()).isEqualTo("POST");
        assertThat(server.failed()).isFalse();
        assertThat(server.attributes())
                .containsEntry("url.path", "/a.B/m/too/long")
                .containsEntry("error.type", "NOT_FOUND")
                .doesNotContainKey("http.route");
        assertThat(collector.spans()).hasSize(1);
    }

    @Test
    void aClientThatLeavesIsInBothSpans() throws Exception {
        ProviderPeer provider = provider(180);
        startTracing("0", provider);
        HttpSocket client = client();
        client.send(Requests.form("1", SAMPLED));
        provider.nextRequest();
        client.closeByReset();

        assertThat(span(SERVER_KIND).attributes()).containsEntry("error.type", "client_left");
        assertThat(span(CLIENT_KIND).attributes()).containsEntry("error.type", "client_left");
    }
}
