package io.dubbomesh.runtime.tracing;

import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.tracing.RecordedSpan.Kind;
import io.dubbomesh.testsupport.Await;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Tests the spans that a collector of OpenTelemetry gets, read with its official protobuf classes. */
@Timeout(60)
class TracingTest {
    private static final long NEVER_MS = 3_600_000;

    private final BlockingQueue<ExportTraceServiceRequest> received = new LinkedBlockingQueue<>();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private HttpServer collector;
    private volatile int status = 200;
    private volatile boolean waits;

    @BeforeEach
    void startCollector() throws Exception {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            assertThat(exchange.getRequestURI().getPath()).isEqualTo("/v1/traces");
            byte[] body = exchange.getRequestBody().readAllBytes();
            received.add(ExportTraceServiceRequest.parseFrom(body));
            if (waits) {
                try {
                    mayAnswer.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stopCollector() {
        mayAnswer.countDown();
        collector.stop(0);
    }

    private TracingSettings settings(int queueSize, long delayMs) {
        URI uri = URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces");
        return new TracingSettings(uri, queueSize, delayMs);
    }

    private static RecordedSpan span(long id) {
        return new RecordedSpan(Kind.CLIENT, "a.B/c", 1, 2, id, 3).time(1, 2);
    }

    private static String hex(com.google.protobuf.ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static Map<String, Object> attributes(List<KeyValue> all) {
        Map<String, Object> values = new TreeMap<>();
        for (KeyValue each : all) {
            boolean text = each.getValue().hasStringValue();
            values.put(
                    each.getKey(),
                    text ? each.getValue().getStringValue() : each.getValue().getIntValue());
        }
        return values;
    }

    @Test
    void aSpanHasTheIdsTimesAndAttributesThatWereRecorded() throws Exception {
        try (Tracing tracing = Tracing.start(settings(16, 1), "some-agent")) {
            long nowNs = System.nanoTime();
            long epochNs = Instant.now().getEpochSecond() * 1_000_000_000L
                    + Instant.now().getNano();
            tracing.ended(new RecordedSpan(
                            Kind.SERVER,
                            "a.B/c",
                            0x0af7651916cd43ddL,
                            0x8448eb211c80319cL,
                            0xb7ad6b7169203331L,
                            0x00f067aa0ba902b7L)
                    .time(nowNs, nowNs + 1_500)
                    .attribute("rpc.system.name", "dubbo")
                    .attribute("server.port", 20880)
                    .failed("TIMEOUT"));

            ResourceSpans sent = received.take().getResourceSpans(0);
            assertThat(attributes(sent.getResource().getAttributesList()))
                    .containsEntry("service.name", "some-agent")
                    .containsKey("service.instance.id");
            assertThat(sent.getScopeSpans(0).getScope().getName()).isEqualTo("io.dubbomesh");
            Span span = sent.getScopeSpans(0).getSpans(0);
            assertThat(span.getName()).isEqualTo("a.B/c");
            assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
            assertThat(hex(span.getTraceId())).isEqualTo("0af7651916cd43dd8448eb211c80319c");
            assertThat(hex(span.getSpanId())).isEqualTo("b7ad6b7169203331");
            assertThat(hex(span.getParentSpanId())).isEqualTo("00f067aa0ba902b7");
            assertThat(span.getStartTimeUnixNano()).isCloseTo(epochNs, within(1_000_000_000L));
            assertThat(span.getEndTimeUnixNano() - span.getStartTimeUnixNano()).isEqualTo(1_500);
            assertThat(attributes(span.getAttributesList()))
                    .isEqualTo(Map.of("rpc.system.name", "dubbo", "server.port", 20880L, "error.type", "TIMEOUT"));
            assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(span.getFlags())
                    .as("sampled, the parent known to be remote")
                    .isEqualTo(0x301);
        }
    }

    @Test
    void namesMayBeOfAnyLetters() throws Exception {
        try (Tracing tracing = Tracing.start(settings(16, 1), "\u670d\u52a1")) {
            String longName = "\u00e9x\ud83d\ude00-" + "n".repeat(100_000) + "\u670d";
            tracing.ended(span(1).attribute("url.path", longName).attribute("empty", ""));
            ExportTraceServiceRequest sent = received.take();
            assertThat(attributes(sent.getResourceSpans(0).getResource().getAttributesList()))
                    .containsEntry("service.name", "\u670d\u52a1");
            assertThat(attributes(sent.getResourceSpans(0)
                            .getScopeSpans(0)
                            .getSpans(0)
                            .getAttributesList()))
                    .isEqualTo(Map.of("url.path", longName, "empty", ""));
        }
    }

    @Test
    void theSpansOfABatchKeepTheirOrder() throws Exception {
        try (Tracing tracing = Tracing.start(settings(2048, NEVER_MS), "some-agent")) {
            for (int id = 1; id <= 512; id++) {
                tracing.ended(span(id).attribute("n", -id));
            }
            List<Span> spans =
                    received.take().getResourceSpans(0).getScopeSpans(0).getSpansList();
            assertThat(spans).hasSize(512);
            for (int i = 0; i < 512; i++) {
                assertThat(hex(spans.get(i).getSpanId())).isEqualTo("%016x".formatted(i + 1));
                assertThat(attributes(spans.get(i).getAttributesList())).containsEntry("n", -(i + 1L));
            }
        }
    }

    @Test
    void theFirstSpanOfATraceHasNoParentAndOneThatHasNotFailedNoStatus() throws Exception {
        try (Tracing tracing = Tracing.start(settings(16, 1), "some-agent")) {
            tracing.ended(new RecordedSpan(Kind.CLIENT, "first", 1, 2, 3, 0).time(1, 2));

            Span span = received.take().getResourceSpans(0).getScopeSpans(0).getSpans(0);
            assertThat(span.getParentSpanId().isEmpty()).isTrue();
            assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
        }
    }

    @Test
    void manySpansAreSentBeforeTheDelayIsOver() throws Exception {
        try (Tracing tracing = Tracing.start(settings(8, NEVER_MS), "some-agent")) {
            for (int id = 1; id <= 4; id++) {
                tracing.ended(span(id));
            }

            assertThat(received.take().getResourceSpans(0).getScopeSpans(0).getSpansCount())
                    .isEqualTo(4);
        }
    }

    @Test
    void whatWaitsAtTheEndIsSent() throws Exception {
        Tracing tracing = Tracing.start(settings(8, NEVER_MS), "some-agent");
        tracing.ended(span(7));
        assertThat(received).isEmpty();

        tracing.close();

        assertThat(received).hasSize(1);
    }

    @Test
    void whatDoesNotFitTheQueueWhileTheCollectorIsSlowIsDroppedAndCounted() throws Exception {
        waits = true;
        try (Tracing tracing = Tracing.start(settings(2, 1), "some-agent")) {
            tracing.ended(span(1));
            received.take();
            for (int id = 2; id <= 6; id++) {
                tracing.ended(span(id));
            }
            assertThat(counts(tracing)).containsEntry("dropped", 3.0);

            mayAnswer.countDown();
        }
    }

    @Test
    void spansThatTheCollectorRefusesAreCountedAndLaterOnesAreSent() throws Exception {
        status = 400;
        try (Tracing tracing = Tracing.start(settings(8, 1), "some-agent")) {
            tracing.ended(span(1));
            received.take();
            awaitCount(tracing, "failed");
            status = 200;
            tracing.ended(span(2));
            received.take();
            awaitCount(tracing, "sent");
        }
    }

    @Test
    void withoutACollectorNothingIsStarted() {
        assertThat(Tracing.start(new TracingSettings(null, 8, 1), "some-agent")).isNull();
    }

    private static void awaitCount(Tracing tracing, String result) throws Exception {
        Await.until("spans are " + result, () -> counts(tracing).get(result) > 0);
        assertThat(counts(tracing)).containsEntry(result, 1.0);
    }

    private static Map<String, Double> counts(Tracing tracing) {
        MetricSamples samples = new MetricSamples();
        Tracing.add(samples, tracing);
        Map<String, Double> counts = new TreeMap<>();
        samples.forEach(
                (metric, byLabels) -> byLabels.forEach((labels, sample) -> counts.put(labels.get(0), sample.value())));
        return counts;
    }
}
