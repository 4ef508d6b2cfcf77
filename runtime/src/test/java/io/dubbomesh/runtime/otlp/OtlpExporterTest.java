package io.dubbomesh.runtime.otlp;

import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class OtlpExporterTest {
    private static final Metric CALLS = Metric.counter("mesh_calls_total", "Calls.", "service");
    private static final Metric LIMIT = Metric.maximum("mesh_held_bytes", "Held.");
    private static final Metric WAIT = Metric.summary("mesh_wait_seconds", "Waits.");
    private static final Metric DURATION = Metric.histogram("mesh_duration_seconds", "Durations.");

    private static MetricSamples samples() {
        MetricSamples samples = new MetricSamples();
        samples.add(CALLS, 3, "a.B");
        samples.add(LIMIT, 180);
        samples.addSummary(WAIT, 2, 0.5);
        DurationHistogram durations = new DurationHistogram();
        durations.record(1_000);
        durations.record(1_000_000_000);
        durations.record(1_000_000_001);
        durations.record(1_060_000_000);
        samples.addHistogram(DURATION, durations);
        return samples;
    }

    @Test
    void theDocumentIsThatOfTheSpecification() {
        String document = new String(new OtlpDocument("agent", "host:1", 1_000).of(samples(), 2_000), UTF_8);

        String times = "\"startTimeUnixNano\":\"1000000000\",\"timeUnixNano\":\"2000000000\"";
        assertThat(document)
                .isEqualTo("{\"resourceMetrics\":[{\"resource\":{\"attributes\":["
                        + "{\"key\":\"service.name\",\"value\":{\"stringValue\":\"agent\"}},"
                        + "{\"key\":\"service.instance.id\",\"value\":{\"stringValue\":\"host:1\"}}]},"
                        + "\"scopeMetrics\":[{\"scope\":{\"name\":\"io.dubbomesh\"},\"metrics\":["
                        + "{\"name\":\"mesh_calls\",\"description\":\"Calls.\",\"sum\":{\"aggregationTemporality\":2,"
                        + "\"isMonotonic\":true,\"dataPoints\":[{\"attributes\":[{\"key\":\"service\",\"value\":"
                        + "{\"stringValue\":\"a.B\"}}]," + times + ",\"asDouble\":3.0}]}},"
                        + "{\"name\":\"mesh_held_bytes\",\"description\":\"Held.\",\"unit\":\"By\",\"gauge\":"
                        + "{\"dataPoints\":[{\"attributes\":[]," + times + ",\"asDouble\":180.0}]}},"
                        + "{\"name\":\"mesh_wait_seconds\",\"description\":\"Waits.\",\"unit\":\"s\",\"summary\":"
                        + "{\"dataPoints\":[{\"attributes\":[]," + times + ",\"count\":\"2\",\"sum\":0.5}]}},"
                        + "{\"name\":\"mesh_duration_seconds\",\"description\":\"Durations.\",\"unit\":\"s\","
                        + "\"exponentialHistogram\":{\"aggregationTemporality\":2,\"dataPoints\":[{\"attributes\":[],"
                        + times + ",\"count\":\"4\",\"sum\":3.0600010010000003,\"scale\":4,\"zeroCount\":\"1\","
                        // 1 s is the upper bound of bucket -1, just above it begins bucket 0; 1.06 s is in bucket 1.
                        + "\"zeroThreshold\":1.52587890625E-5,\"positive\":{\"offset\":-1,"
                        + "\"bucketCounts\":[\"1\",\"1\",\"1\"]}}]}}]}]}]}");
    }

    @Test
    void samplesArePushedInIntervalsWhateverTheCollectorAnswers() throws Exception {
        BlockingQueue<String> pushed = new LinkedBlockingQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            pushed.add(exchange.getRequestURI().getPath()
                    + ' '
                    + exchange.getRequestHeaders().getFirst("Content-Type")
                    + ' '
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(pushed.size() == 1 ? 503 : 200, -1);
            exchange.close();
        });
        collector.start();
        URI endpoint = URI.create("http://127.0.0.1:" + collector.getAddress().getPort());
        try (OtlpExporter exporter =
                OtlpExporter.start(new OtlpSettings(endpoint, "", true, 20), "agent", OtlpExporterTest::samples)) {
            assertThat(exporter).isNotNull();
            for (int i = 0; i < 3; i++) {
                assertThat(pushed.take()).startsWith("/v1/metrics application/json {\"resourceMetrics\":");
            }
        } finally {
            collector.stop(0);
        }
    }

    @Test
    void withoutAnEndpointNothingIsStarted() {
        assertThat(OtlpExporter.start(new OtlpSettings(null, "", true, 20), "agent", OtlpExporterTest::samples))
                .isNull();
    }

    @Test
    void metricsAreNotPushedIfTheyAreSetToNone() {
        URI endpoint = URI.create("http://127.0.0.1:4318");
        assertThat(OtlpExporter.start(new OtlpSettings(endpoint, "", false, 20), "agent", OtlpExporterTest::samples))
                .isNull();
    }
}
