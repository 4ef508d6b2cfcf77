package io.dubbomesh.runtime.otlp;

import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
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
    void theRequestIsThatOfTheSpecification() {
        ExportRequest request = new ExportRequest("agent", "host:1");
        ProtobufBuffer written = new MetricsDocument(request, 1_000).write(samples(), 2_000);

        byte[] times = all(fixed64(2, 1_000_000_000L), fixed64(3, 2_000_000_000L));
        byte[] resource = message(
                1,
                message(1, text(1, "service.name"), message(2, text(1, "agent"))),
                message(1, text(1, "service.instance.id"), message(2, text(1, "host:1"))));
        byte[] calls = message(
                2,
                text(1, "mesh_calls"),
                text(2, "Calls."),
                message(
                        7,
                        message(1, times, number(4, 3.0), message(7, text(1, "service"), message(2, text(1, "a.B")))),
                        // Cumulative, and it only grows.
                        new byte[] {2 << 3, 2, 3 << 3, 1}));
        byte[] held = message(
                2,
                text(1, "mesh_held_bytes"),
                text(2, "Held."),
                text(3, "By"),
                message(5, message(1, times, number(4, 180.0))));
        byte[] wait = message(
                2,
                text(1, "mesh_wait_seconds"),
                text(2, "Waits."),
                text(3, "s"),
                message(11, message(1, times, fixed64(4, 2), number(5, 0.5))));
        byte[] duration = message(
                2,
                text(1, "mesh_duration_seconds"),
                text(2, "Durations."),
                text(3, "s"),
                message(
                        10,
                        message(
                                1,
                                times,
                                fixed64(4, 4),
                                number(5, 3.0600010010000003),
                                // The scale 4, in zigzag.
                                new byte[] {6 << 3, 8},
                                fixed64(7, 1),
                                // 1 s is the upper bound of bucket -1, just above it begins bucket 0; 1.06 s is in 1.
                                message(8, new byte[] {1 << 3, 1}, message(2, new byte[] {1, 1, 1})),
                                number(14, 1.52587890625E-5)),
                        new byte[] {2 << 3, 2}));
        byte[] scope = message(2, message(1, text(1, "io.dubbomesh")), duration, wait, held, calls);
        assertThat(Arrays.copyOfRange(written.array(), written.offset(), written.array().length))
                .asHexString()
                .isEqualTo(HexFormat.of().withUpperCase().formatHex(message(1, resource, scope)));
    }

    private static byte[] message(int field, byte[]... parts) {
        byte[] content = all(parts);
        byte[] length = content.length < 0x80
                ? new byte[] {(byte) content.length}
                : new byte[] {(byte) (content.length | 0x80), (byte) (content.length >> 7)};
        return all(new byte[] {(byte) (field << 3 | 2)}, length, content);
    }

    private static byte[] text(int field, String text) {
        return message(field, text.getBytes(UTF_8));
    }

    private static byte[] number(int field, double value) {
        return fixed64(field, Double.doubleToRawLongBits(value));
    }

    private static byte[] fixed64(int field, long value) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
        return all(new byte[] {(byte) (field << 3 | 1)}, bytes);
    }

    private static byte[] all(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void samplesArePushedInIntervalsWhateverTheCollectorAnswers() throws Exception {
        BlockingQueue<String> pushed = new LinkedBlockingQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            pushed.add(exchange.getRequestURI().getPath()
                    + ' '
                    + exchange.getRequestHeaders().getFirst("Content-Type"));
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(pushed.size() == 1 ? 503 : 200, -1);
            exchange.close();
        });
        collector.start();
        URI endpoint = URI.create("http://127.0.0.1:" + collector.getAddress().getPort());
        try (OtlpExporter exporter =
                OtlpExporter.start(new OtlpSettings(endpoint, "", true, 20), "agent", OtlpExporterTest::samples)) {
            assertThat(exporter).isNotNull();
            for (int i = 0; i < 3; i++) {
                assertThat(pushed.take()).isEqualTo("/v1/metrics application/x-protobuf");
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
