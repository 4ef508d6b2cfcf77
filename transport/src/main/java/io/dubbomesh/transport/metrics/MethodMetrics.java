package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Exemplar;

/**
 * What is counted of the calls of one method. Whoever knows the method keeps this object, so that a call only adds to its numbers. Owned by one
 * event loop.
 */
public final class MethodMetrics {
    static final Outcome[] OUTCOMES = Outcome.values();
    private static final double S_PER_NS = 1e-9;

    private final String service;
    private final String method;
    private final long[] answers = new long[OUTCOMES.length];
    private final DurationHistogram durations = new DurationHistogram();
    private long served;
    private double waitedSeconds;
    private double servedSeconds;

    MethodMetrics(String service, String method) {
        this.service = service;
        this.method = method;
    }

    /** A call has ended so; the time that it took is not known, or not worth knowing. */
    public void answered(Outcome outcome) {
        answers[outcome.ordinal()]++;
    }

    public void answered(Outcome outcome, long durationNs) {
        answers[outcome.ordinal()]++;
        durations.record(durationNs);
    }

    /** An answered call is traced. */
    public void traced(Exemplar call) {
        durations.keep(call);
    }

    /** A call was answered upstream, after so long in the queue and so long there. */
    public void served(long waitedNs, long servedNs) {
        served++;
        waitedSeconds += waitedNs * S_PER_NS;
        servedSeconds += servedNs * S_PER_NS;
    }

    String service() {
        return service;
    }

    String method() {
        return method;
    }

    long answers(Outcome outcome) {
        return answers[outcome.ordinal()];
    }

    DurationHistogram durations() {
        return durations;
    }

    long served() {
        return served;
    }

    double waitedSeconds() {
        return waitedSeconds;
    }

    double servedSeconds() {
        return servedSeconds;
    }
}
