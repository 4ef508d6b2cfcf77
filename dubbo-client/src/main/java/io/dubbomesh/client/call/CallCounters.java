package io.dubbomesh.client.call;

import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;

/** The counters of one event loop's requests; written by the loop only. */
public final class CallCounters {
    private static final Metric EXPIRED = Metric.counter(
            "dubbomesh_provider_calls_expired_total",
            "Calls whose deadline had passed, or whose link was gone, before they reached the provider.");
    private static final Metric LATE = Metric.counter(
            "dubbomesh_provider_responses_late_total", "Answers of the provider to calls that had ended before.");
    private static final Metric FORGOTTEN = Metric.counter(
            "dubbomesh_provider_calls_forgotten_total",
            "Calls that the provider had not answered long after any deadline.");
    private static final Metric LOST = Metric.counter(
            "dubbomesh_provider_calls_lost_total", "Calls in flight when the connection to the provider was lost.");

    private static final Metric STREAMS =
            Metric.gauge("dubbomesh_provider_streams", "Streams of messages of the provider that have not ended.");
    private static final Metric STREAM_MESSAGES =
            Metric.counter("dubbomesh_provider_stream_messages_total", "Messages of streams that were passed on.");
    private static final Metric STREAMS_ENDED =
            Metric.counter("dubbomesh_provider_streams_ended_total", "Streams that have ended, by what.", "by");

    /** Calls that were sent to the provider. */
    public long sent;
    /** Dubbo responses that were passed on. */
    public long answered;
    /** Calls that the provider has executed and answered with a result. */
    public long executed;
    /** How long that took them together, from when they were sent to when they were answered. */
    public long executedNs;
    /** Requests given back unexecuted, for any reason. */
    public long notExecuted;
    /** Requests answered with a problem before they reached the provider. */
    public long refused;
    /** Requests whose deadline had passed, or whose link was gone, before they reached the provider. */
    public long expired;
    /** Dubbo responses to calls that are unknown or had ended. */
    public long lateResponses;
    /** Calls that the provider had still not answered long after any deadline. */
    public long forgotten;
    /** Calls in flight when the provider's connection was lost. */
    public long lost;
    /** Streams that were opened. */
    public long streamsOpened;
    /** Messages of streams that were passed on. */
    public long streamMessages;
    /** Streams that the provider has ended. */
    public long streamsCompleted;
    /** Streams that have ended in any way. */
    public long streamsEnded;
    /** Streams that the consumer agent has cancelled, or whose link was gone. */
    public long streamsCancelled;

    /** Adds what another one has counted. */
    public void add(CallCounters other) {
        sent += other.sent;
        answered += other.answered;
        executed += other.executed;
        executedNs += other.executedNs;
        notExecuted += other.notExecuted;
        refused += other.refused;
        expired += other.expired;
        lateResponses += other.lateResponses;
        forgotten += other.forgotten;
        lost += other.lost;
        streamsOpened += other.streamsOpened;
        streamMessages += other.streamMessages;
        streamsCompleted += other.streamsCompleted;
        streamsEnded += other.streamsEnded;
        streamsCancelled += other.streamsCancelled;
    }

    public void addTo(MetricSamples samples) {
        samples.add(EXPIRED, expired);
        samples.add(LATE, lateResponses);
        samples.add(FORGOTTEN, forgotten);
        samples.add(LOST, lost);
        samples.add(STREAMS, streamsOpened - streamsEnded);
        samples.add(STREAM_MESSAGES, streamMessages);
        samples.add(STREAMS_ENDED, streamsCompleted, "provider");
        samples.add(STREAMS_ENDED, streamsEnded - streamsCompleted - streamsCancelled, "failure");
        samples.add(STREAMS_ENDED, streamsCancelled, "client");
    }
}
