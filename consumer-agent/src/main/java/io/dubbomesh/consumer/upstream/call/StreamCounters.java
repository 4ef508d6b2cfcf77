package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;

import java.util.Locale;

/** Counts the streams of one event loop, which owns it, from their beginning to their end. */
final class StreamCounters {
    private static final Metric OPEN =
            Metric.gauge("dubbomesh_consumer_streams", "Streams of messages to clients that have begun and not ended.");
    private static final Metric MESSAGES =
            Metric.counter("dubbomesh_consumer_stream_messages_total", "Messages of streams that were passed on.");
    private static final Metric ENDED =
            Metric.counter("dubbomesh_consumer_streams_ended_total", "Streams that have ended, by what.", "by");

    /** What has ended a stream. */
    enum End {
        /** It was complete. */
        PROVIDER,
        /** The provider has failed, or the way to it. */
        FAILURE,
        /** The client has left. */
        CLIENT,
        TIMEOUT,
        /** There was no room for what the client has not read. */
        OVERLOAD;

        private final String label = name().toLowerCase(Locale.ROOT);
    }

    private static final End[] ENDS = End.values();

    private final long[] ended = new long[ENDS.length];
    private long begun;
    private long messages;

    void begun() {
        begun++;
    }

    void message() {
        messages++;
    }

    void ended(End by) {
        ended[by.ordinal()]++;
    }

    void addTo(MetricSamples samples) {
        long open = begun;
        for (End end : ENDS) {
            open -= ended[end.ordinal()];
            samples.add(ENDED, ended[end.ordinal()], end.label);
        }
        samples.add(OPEN, open);
        samples.add(MESSAGES, messages);
    }
}
