package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.runtime.metrics.MetricSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.concurrent.TimeoutException;

/**
 * Pushes the samples of an agent to a collector, by OTLP over HTTP with protobuf, on a thread of its own. Nothing
 * waits for it.
 */
public final class OtlpExporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OtlpExporter.class);

    private final OtlpSettings settings;
    private final MetricSource source;
    private final MetricsDocument document;
    private final OtlpCollector collector;
    private final Thread thread;
    private boolean failing;

    private OtlpExporter(OtlpSettings settings, MetricsDocument document, MetricSource source) {
        this.settings = settings;
        this.source = source;
        this.document = document;
        collector = new OtlpCollector(settings.metricsUri());
        thread = new Thread(this::run, "otlp-metrics");
        thread.setDaemon(true);
    }

    /**
     * Starts, unless no endpoint is set or metrics are not to be pushed: then the result is null.
     *
     * @param service the name under which the collector knows this agent
     */
    public static OtlpExporter start(OtlpSettings settings, String service, MetricSource source) {
        if (settings.endpoint() == null || !settings.metrics()) {
            return null;
        }
        RuntimeMXBean process = ManagementFactory.getRuntimeMXBean();
        // The name of a process is its id at the host.
        ExportRequest request = new ExportRequest(service, process.getName());
        MetricsDocument document = new MetricsDocument(request, process.getStartTime());
        OtlpExporter exporter = new OtlpExporter(settings, document, source);
        exporter.thread.start();
        return exporter;
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(settings.intervalMs());
                export();
            }
        } catch (InterruptedException e) {
            LOG.debug("metrics are not pushed any more");
        }
    }

    private void export() {
        try {
            collector.post(document.write(source.collect(), System.currentTimeMillis()));
            if (failing) {
                failing = false;
                LOG.info("metrics are pushed to {} again", settings.metricsUri());
            }
        } catch (IOException | TimeoutException | RuntimeException e) {
            if (!failing) {
                failing = true;
                LOG.warn(
                        "metrics cannot be pushed to {}: {}; trying again every {} ms (otel.exporter.otlp.endpoint)",
                        settings.metricsUri(),
                        SocketFailure.reason(e),
                        settings.intervalMs());
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
