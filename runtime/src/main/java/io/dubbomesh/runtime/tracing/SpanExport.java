package io.dubbomesh.runtime.tracing;

import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.runtime.otlp.ExportRequest;
import io.dubbomesh.runtime.otlp.OtlpCollector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the spans of a queue to the collector, by OTLP over HTTP with protobuf, on a thread of its own. OpenTelemetry's
 * SDK would do it in 15 MiB more of memory.
 */
final class SpanExport {
    private static final Logger LOG = LoggerFactory.getLogger(SpanExport.class);
    private static final int MAX_BATCH = 512;
    /** The time to send what still waits when the agent ends. */
    private static final long CLOSE_MS = 1_000;

    private static final long NS_PER_S = 1_000_000_000L;

    private final TracingSettings settings;
    private final BlockingQueue<RecordedSpan> queue;
    private final int batchSize;
    private final SpanDocument document;
    private final OtlpCollector collector;
    private final Thread thread;
    private volatile boolean ending;
    private volatile long sent;
    private volatile long failed;
    private boolean failing;

    SpanExport(TracingSettings settings, String service, BlockingQueue<RecordedSpan> queue) {
        this.settings = settings;
        this.queue = queue;
        batchSize = Math.min(MAX_BATCH, Math.max(1, settings.queueSize() / 2));
        // The name of a process is its id at the host.
        document = new SpanDocument(
                new ExportRequest(service, ManagementFactory.getRuntimeMXBean().getName()));
        collector = new OtlpCollector(settings.collector());
        thread = new Thread(this::run, "otlp-traces");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns how many spans are sent at once; {@link #wakeUp} is called when as many wait. */
    int batchSize() {
        return batchSize;
    }

    void wakeUp() {
        LockSupport.unpark(thread);
    }

    /** Returns the number of spans that the collector has taken. */
    long sent() {
        return sent;
    }

    /** Returns the number of spans that could not be sent. */
    long failed() {
        return failed;
    }

    private void run() {
        long delayNs = TimeUnit.MILLISECONDS.toNanos(settings.delayMs());
        long dueNs = System.nanoTime() + delayNs;
        List<RecordedSpan> batch = new ArrayList<>(batchSize);
        while (!ending || !queue.isEmpty()) {
            long leftNs = dueNs - System.nanoTime();
            if (!ending && leftNs > 0 && queue.size() < batchSize) {
                LockSupport.parkNanos(this, leftNs);
                continue;
            }
            if (queue.drainTo(batch, batchSize) > 0) {
                send(batch);
                batch.clear();
            }
            if (queue.size() < batchSize) {
                dueNs = System.nanoTime() + delayNs;
            }
        }
    }

    private void send(List<RecordedSpan> batch) {
        try {
            collector.post(document.write(batch, offsetNs()));
            sent += batch.size();
            succeeded();
        } catch (IOException | RuntimeException | Error e) {
            FatalErrors.check(e);
            failed(batch, SocketFailure.reason(e));
        }
    }

    /** Computed for each batch, since the clocks may have drifted; within one, spans keep their order. */
    private static long offsetNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NS_PER_S + now.getNano() - System.nanoTime();
    }

    private void succeeded() {
        if (failing) {
            failing = false;
            LOG.info("spans are sent to {} again", settings.collector());
        }
    }

    private void failed(List<RecordedSpan> batch, String reason) {
        failed += batch.size();
        if (!failing) {
            failing = true;
            LOG.warn(
                    "spans cannot be sent to {}: {}; those of sampled calls are dropped meanwhile (otel.exporter.otlp.endpoint)",
                    settings.collector(),
                    reason);
        }
    }

    void close() {
        ending = true;
        wakeUp();
        try {
            thread.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
