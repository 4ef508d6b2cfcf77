package io.dubbomesh.runtime.prometheus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.dubbomesh.runtime.admin.AdminServer;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.metrics.MetricSource;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;

/**
 * {@code /metrics} of the admin port, in the format that the client asks for: Prometheus' text, OpenMetrics, or
 * Prometheus' protobuf, which alone has native histograms.
 */
public final class MetricsPage implements HttpHandler {
    public static final String PATH = "/metrics";

    private final MetricSource source;

    /** Made with the first scrape: an agent that nobody scrapes needs none of it. */
    private static final class Formats {
        static final ExpositionFormats ALL = ExpositionFormats.init();
    }

    public MetricsPage(MetricSource source) {
        this.source = source;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        ExpositionFormatWriter writer =
                Formats.ALL.findWriter(exchange.getRequestHeaders().getFirst("Accept"));
        String encodings = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        boolean compressed = encodings != null && encodings.contains("gzip");
        byte[] body;
        try {
            body = render(writer, compressed);
        } catch (TimeoutException e) {
            AdminServer.respond(exchange, 503, e.getMessage());
            return;
        }
        if (compressed) {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        }
        exchange.getResponseHeaders().set("Vary", "Accept, Accept-Encoding");
        AdminServer.respond(exchange, 200, writer.getContentType(), body);
    }

    /** One at a time: however many ask, the event loops are interrupted for one. */
    private synchronized byte[] render(ExpositionFormatWriter writer, boolean compressed)
            throws IOException, TimeoutException {
        MetricSamples samples = source.collect();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = compressed ? new GZIPOutputStream(bytes) : bytes) {
            writer.write(out, PrometheusModel.of(samples));
        }
        return bytes.toByteArray();
    }
}
