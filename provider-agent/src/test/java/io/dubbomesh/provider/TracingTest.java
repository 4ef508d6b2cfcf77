package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.Scrape;
import io.dubbomesh.testsupport.SpanReceiver;
import io.dubbomesh.testsupport.SpanReceiver.Span;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.Hex.u16;
import static io.dubbomesh.testsupport.MeshFrame.names;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

/** The spans of calls whose requests have a sampled traceparent, and what the provider gets as its parent. */
@Timeout(60)
class TracingTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String SAMPLED = "00-" + TRACE + "-" + CALLER + "-01";
    private static final int SERVER = 2;
    private static final int CLIENT = 3;
    private static final String HASH = HASHER + "/hash";

    private final SpanReceiver collector = new SpanReceiver();
    private final AgentFixture mesh = new AgentFixture();

    TracingTest() throws Exception {
        mesh.with("otel.exporter.otlp.endpoint", collector.endpoint())
                .with("otel.metrics.exporter", "none")
                .with("otel.traces.exporter", "otlp")
                .with("otel.bsp.schedule.delay", "1 ms");
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
        collector.close();
    }

    private static String body(String traceparent) {
        String attachments = "0003" + text("tag") + "0004" + text("grey") + "000b" + text("traceparent")
                + u16(traceparent.length()) + text(traceparent);
        return "00001388" + u16(attachments.length() / 2) + attachments;
    }

    /** Calls {@code hash("hello")}. */
    private static String hash(long requestId, String traceparent) {
        return request(requestId, 1, MeshFrame.FORM, body(traceparent) + "00000005" + text("hello"));
    }

    /** The value of the attachment, which stands behind its name. */
    private static String traceparent(DubboFrame call) {
        String bytes = new String(Hex.bytes(call.body()), java.nio.charset.StandardCharsets.ISO_8859_1);
        int name = bytes.indexOf("traceparent");
        // A string of 55 characters has a tag and a length in front.
        return bytes.substring(name + 11 + 2, name + 11 + 2 + SAMPLED.length());
    }

    private List<Span> spans(int count) throws Exception {
        return collector.awaitSpans(count);
    }

    @Test
    void theTwoSpansOfACallContinueTheTraceOfItsRequest() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, SAMPLED));
        DubboFrame call = provider.read();
        provider.answerInt(call.id(), 7);
        assertThat(peer.read().document()).isEqualTo("7");

        List<Span> spans = spans(2);
        Span dubbo = spans.get(0);
        Span server = spans.get(1);
        assertThat(server.traceId()).isEqualTo(TRACE);
        assertThat(server.parentId()).isEqualTo(CALLER);
        assertThat(server.kind()).isEqualTo(SERVER);
        assertThat(server.name()).isEqualTo(HASH);
        assertThat(server.failed()).isFalse();
        assertThat(server.attributes())
                .isEqualTo(
                        Map.of("rpc.system.name", "dubbomesh", "rpc.method", HASH, "rpc.response.status_code", "OK"));
        assertThat(dubbo.traceId()).isEqualTo(TRACE);
        assertThat(dubbo.parentId()).isEqualTo(server.id());
        assertThat(dubbo.kind()).isEqualTo(CLIENT);
        assertThat(dubbo.name()).isEqualTo(HASH);
        assertThat(dubbo.attributes())
                .isEqualTo(Map.of(
                        "rpc.system.name",
                        "dubbo",
                        "dubbo.protocol",
                        "dubbo",
                        "rpc.method",
                        HASH,
                        "rpc.response.status_code",
                        "OK",
                        "server.address",
                        "127.0.0.1",
                        "server.port",
                        Integer.toString(mesh.stub.port())));
        assertThat(server.startNs()).isLessThanOrEqualTo(dubbo.startNs());
        assertThat(dubbo.startNs()).isLessThan(dubbo.endNs());
        assertThat(dubbo.endNs()).isLessThanOrEqualTo(server.endNs());
        assertThat(traceparent(call)).isEqualTo("00-" + TRACE + "-" + dubbo.id() + "-01");
        assertThat(call.body()).contains(text("tag") + "04" + text("grey"));
        assertThat(Scrape.of(mesh.agent.adminPort()).sum("dubbomesh_trace_spans_total", "result", "dropped"))
                .isZero();
    }

    @Test
    void theCollectorKnowsTheAgentByTheNameOfItsProgramUnlessAnotherOneIsSet() throws Exception {
        callOnce();
        assertThat(collector.serviceNames()).containsOnly("provider-agent");
    }

    @Test
    void spansAndMetricsAreSentUnderTheNameThatIsSet() throws Exception {
        mesh.with("otel.service.name", "orders")
                .with("otel.metrics.exporter", "otlp")
                .with("otel.metric.export.interval", "20 ms");
        callOnce();
        assertThat(collector.serviceNames()).containsOnly("orders");
        Await.until(
                "metrics are pushed", () -> !collector.serviceNamesOfMetrics().isEmpty());
        assertThat(collector.serviceNamesOfMetrics()).containsOnly("orders");
    }

    private void callOnce() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, SAMPLED));
        provider.answerInt(provider.read().id(), 7);
        peer.read();
        spans(2);
    }

    @Test
    void whatIsNotSampledPassesThroughAndLeavesNoSpan() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        String unsampled = SAMPLED.replace("-01", "-00");
        String malformed = SAMPLED.replace("4bf", "4BF");

        for (String passed : List.of(unsampled, malformed, SAMPLED)) {
            peer.send(hash(1, passed));
            DubboFrame call = provider.read();
            provider.answerInt(call.id(), 7);
            peer.read();
            assertThat(traceparent(call).equals(passed)).isEqualTo(!passed.equals(SAMPLED));
        }

        spans(2);
        assertThat(collector.spans()).hasSize(2);
    }

    @Test
    void aRequestThatIsGivenBackNamesTheSpanThatItCameWith() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, SAMPLED));
        DubboFrame call = provider.read();

        provider.answer(call.id(), 100, text("Thread pool is EXHAUSTED!"));

        MeshFrame back = peer.read();
        assertThat(back.status()).isEqualTo(1);
        assertThat(back.body()).isEqualTo("0000" + body(SAMPLED) + "00000005" + text("hello"));
        assertThat(spans(2))
                .extracting(span -> span.attributes().get("error.type"))
                .containsExactly("SERVER_THREADPOOL_EXHAUSTED_ERROR", "NOT_EXECUTED");
        assertThat(collector.spans()).allMatch(Span::failed);
    }

    @Test
    void theSpansOfACallThatFailsSayHow() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, SAMPLED));
        provider.answer(provider.read().id(), 31, DubboFrame.string("too late"));
        peer.read();
        assertThat(spans(2))
                .extracting(span -> span.attributes().get("error.type"))
                .containsExactly("SERVER_TIMEOUT", "TIMEOUT");

        peer.send(hash(2, SAMPLED));
        provider.read();
        provider.close();
        peer.read();
        assertThat(spans(4).subList(2, 4))
                .extracting(span -> span.attributes().get("error.type"))
                .containsExactly("PROVIDER_ERROR", "PROVIDER_ERROR");
    }

    @Test
    void aRequestThatBecomesNoCallHasOneSpan() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();

        peer.send(request(2, 0, MeshFrame.FORM, body(SAMPLED) + names("a.Stranger", "m", "", "", "")));
        peer.read();

        Span span = spans(1).get(0);
        assertThat(span.kind()).isEqualTo(SERVER);
        assertThat(span.name()).isEqualTo("a.Stranger/m");
        assertThat(span.attributes()).containsEntry("error.type", "SERVICE_NOT_FOUND");
    }

    @Test
    void aCallThatWaitsTooLongForAPermitHasASpanWithoutAnAnswer() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(HashCalls.hash(1, "a"));
        provider.read();

        peer.send(request(
                2, 1, MeshFrame.FORM, body(SAMPLED).replaceFirst("00001388", "00000032") + "00000005" + text("hello")));

        Span span = spans(1).get(0);
        assertThat(span.kind()).isEqualTo(SERVER);
        assertThat(span.attributes()).containsEntry("error.type", "unanswered");
        assertThat(span.endNs() - span.startNs()).isGreaterThanOrEqualTo(50_000_000);
    }
}
