package io.dubbomesh.runtime.prometheus;

import io.dubbomesh.runtime.admin.Page;
import io.dubbomesh.runtime.admin.PageAnswer;
import io.dubbomesh.runtime.admin.PageRequest;
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
public final class MetricsPage implements Page {
    public static final String PATH = "/metrics";

    private final MetricSource source;

    /** Made with the first scrape: an agent that is not scraped needs none of it. */
    private static final class Formats {
        static final ExpositionFormats ALL = ExpositionFormats.init();
    }

    public MetricsPage(MetricSource source) {
        this.source = source;
    }

    @Override
    public PageAnswer answer(PageRequest request) throws IOException {
        ExpositionFormatWriter writer = Formats.ALL.findWriter(request.header("Accept"));
        String encodings = request.header("Accept-Encoding");
        boolean compressed = encodings != null && encodings.contains("gzip");
        PageAnswer answer;
        try {
            answer = PageAnswer.of(200, writer.getContentType(), render(writer, compressed));
        } catch (TimeoutException e) {
            return PageAnswer.line(503, e.getMessage());
        }
        PageAnswer varied = answer.with("Vary", "Accept, Accept-Encoding");
        return compressed ? varied.with("Content-Encoding", "gzip") : varied;
    }

    /** Renders a page, one at a time: however many ask, the event loops are interrupted for one. */
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
