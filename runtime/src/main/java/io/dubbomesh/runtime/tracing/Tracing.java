package io.dubbomesh.runtime.tracing;

import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes the spans of an agent that have ended, and has them sent to the collector. What the collector does not take in
 * time is dropped and counted.
 */
public final class Tracing implements AutoCloseable {
    private static final Metric SPANS = Metric.counter(
            "dubbomesh_trace_spans_total", "Spans of sampled calls, by what has become of them.", "result");
    private static final String SENT = "sent";
    private static final String DROPPED = "dropped";
    private static final String FAILED = "failed";

    private final BlockingQueue<RecordedSpan> queue;
    private final AtomicLong dropped = new AtomicLong();
    private final SpanExport export;

    private Tracing(TracingSettings settings, String service) {
        queue = new ArrayBlockingQueue<>(settings.queueSize());
        export = new SpanExport(settings, service, queue);
    }

    /**
     * Starts, unless no spans are to be recorded: then the result is null, and nothing of the library is loaded.
     *
     * @param service the name under which the collector knows this agent
     */
    public static Tracing start(TracingSettings settings, String service) {
        if (settings.collector() == null) {
            return null;
        }
        Tracing tracing = new Tracing(settings, service);
        tracing.export.start();
        return tracing;
    }

    /** Takes a span that is not changed any more; called by any thread. */
    public void ended(RecordedSpan span) {
        if (!queue.offer(span)) {
            dropped.incrementAndGet();
        } else if (queue.size() == export.batchSize()) {
            export.wakeUp();
        }
    }

    /** @param tracing null where no spans are recorded */
    public static void add(MetricSamples samples, Tracing tracing) {
        samples.add(SPANS, tracing == null ? 0 : tracing.export.sent(), SENT);
        samples.add(SPANS, tracing == null ? 0 : tracing.dropped.get(), DROPPED);
        samples.add(SPANS, tracing == null ? 0 : tracing.export.failed(), FAILED);
    }

    /** Sends what waits, for a short time. */
    @Override
    public void close() {
        export.close();
    }
}
