package io.dubbomesh.runtime.prometheus;

import io.dubbomesh.runtime.admin.AdminServer;
import io.dubbomesh.runtime.admin.AdminSettings;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Exemplar;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.metrics.MetricSource;
import io.dubbomesh.runtime.metrics.ProcessMetrics;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_36_2.Metrics.MetricFamily;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class MetricsPageTest {
    private static final Metric CALLS = Metric.counter("mesh_calls_total", "Calls.", "service", "code");
    private static final Metric LIMIT = Metric.maximum("mesh_limit", "The limit.");
    private static final Metric BUILD = Metric.info("mesh_build_info", "What runs.", "version");
    private static final Metric WAIT = Metric.summary("mesh_wait_seconds", "Waits.");
    private static final Metric DURATION = Metric.histogram("mesh_duration_seconds", "Durations.");

    private final HttpClient client = HttpClient.newHttpClient();
    private MetricSource source = MetricsPageTest::samples;
    private AdminServer admin;

    @BeforeEach
    void start() throws Exception {
        admin = AdminServer.start(
                new AdminSettings("127.0.0.1", 0, AdminSettings.Changes.LOCAL, List.of()), () -> null);
        admin.handle(MetricsPage.PATH, new MetricsPage(() -> source.collect()));
    }

    @AfterEach
    void close() {
        admin.close();
    }

    private static MetricSamples samples() {
        MetricSamples samples = new MetricSamples();
        samples.add(CALLS, 3, "a \"quoted\"\\ name", "OK");
        samples.add(LIMIT, 180);
        samples.add(BUILD, 1, "1.0");
        samples.addSummary(WAIT, 2, 0.5);
        DurationHistogram durations = new DurationHistogram();
        durations.record(1_000);
        durations.record(500_000_000);
        durations.record(1_000_000_000);
        durations.record(70_000_000_000L);
        samples.addHistogram(DURATION, durations);
        return samples;
    }

    @Test
    void withoutAnAcceptHeaderTheFormatIsThatOfPrometheus() throws Exception {
        HttpResponse<byte[]> response = get();

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(text(response)).contains("""
                        # HELP mesh_calls_total Calls.
                        # TYPE mesh_calls_total counter
                        mesh_calls_total{code="OK",service="a \\"quoted\\"\\\\ name"} 3.0
                        """, """
                        # TYPE mesh_limit gauge
                        mesh_limit 180.0
                        """, """
                        mesh_build_info{version="1.0"} 1
                        """, """
                        # TYPE mesh_wait_seconds summary
                        mesh_wait_seconds_count 2
                        mesh_wait_seconds_sum 0.5
                        """, """
                        mesh_duration_seconds_bucket{le="1.0E-4"} 1
                        """, """
                        mesh_duration_seconds_bucket{le="0.25"} 1
                        mesh_duration_seconds_bucket{le="0.5"} 2
                        mesh_duration_seconds_bucket{le="1.0"} 3
                        """, """
                        mesh_duration_seconds_bucket{le="+Inf"} 4
                        mesh_duration_seconds_count 4
                        """);
    }

    @Test
    void openMetricsIsSentToWhoAsksForIt() throws Exception {
        HttpResponse<byte[]> response = get("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");

        assertThat(response.headers().firstValue("Content-Type").orElseThrow())
                .startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(text(response)).contains("# TYPE mesh_calls counter\n").endsWith("# EOF\n");
    }

    @Test
    void openMetricsNamesATracedCallOfEachBucket() throws Exception {
        source = () -> {
            DurationHistogram durations = new DurationHistogram();
            durations.record(1_500_000);
            durations.keep(new Exemplar(0x0af7651916cd43ddL, 1, 2, 1_500_000, 7_000));
            durations.record(1_600_000);
            durations.keep(new Exemplar(3, 4, 5, 1_600_000, 6_000));
            MetricSamples samples = new MetricSamples();
            samples.addHistogram(DURATION, durations);
            return samples;
        };
        HttpResponse<byte[]> response = get("Accept", "application/openmetrics-text;version=1.0.0");

        assertThat(text(response)).contains("""
                mesh_duration_seconds_bucket{le="0.001"} 0
                mesh_duration_seconds_bucket{le="0.0025"} 2 # \
                {span_id="0000000000000002",trace_id="0af7651916cd43dd0000000000000001"} 0.0015 7.000
                mesh_duration_seconds_bucket{le="0.005"} 2
                """);
    }

    @Test
    void nativeHistogramsAreSentInProtobuf() throws Exception {
        HttpResponse<byte[]> response = get(
                "Accept",
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,*/*;q=0.1");

        ByteArrayInputStream body = new ByteArrayInputStream(response.body());
        MetricFamily family = MetricFamily.parseDelimitedFrom(body);
        while (!family.getName().equals("mesh_duration_seconds")) {
            family = MetricFamily.parseDelimitedFrom(body);
        }
        assertThat(family.getMetric(0).getHistogram().getSchema()).isEqualTo(4);
        assertThat(family.getMetric(0).getHistogram().getZeroCount()).isEqualTo(1);
        assertThat(family.getMetric(0).getHistogram().getSampleCount()).isEqualTo(4);
        // 0.5 s is bucket -16, 1 s bucket 0, and what is above 64 s is bucket 97.
        assertThat(family.getMetric(0).getHistogram().getPositiveSpanList())
                .extracting(span -> span.getOffset() + ":" + span.getLength())
                .containsExactly("-16:1", "15:1", "96:1");
    }

    @Test
    void aBodyIsCompressedForWhoTakesThat() throws Exception {
        HttpResponse<byte[]> response = get("Accept-Encoding", "gzip");

        assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
        byte[] body = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
        assertThat(new String(body, UTF_8)).contains("mesh_limit 180.0\n");
    }

    @Test
    void anAgentThatDoesNotAnswerIs503WithTheReason() throws Exception {
        source = () -> {
            throw new TimeoutException("an event loop did not answer within 1 s");
        };
        HttpResponse<byte[]> response = get();

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(text(response)).isEqualTo("an event loop did not answer within 1 s\n");
    }

    @Test
    void theProcessIsDescribedByTheUsualNames() throws Exception {
        source = () -> {
            MetricSamples samples = new MetricSamples();
            ProcessMetrics.addTo(samples);
            return samples;
        };
        assertThat(text(get()))
                .contains("\nprocess_cpu_seconds_total ", "\njvm_memory_used_bytes{area=\"heap\"} ")
                .contains("\njvm_gc_collection_seconds_count{gc=\"");
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), UTF_8);
    }

    private HttpResponse<byte[]> get(String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin.port() + MetricsPage.PATH));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }
}
