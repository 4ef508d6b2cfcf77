package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Exemplar;

/**
 * The counts of the calls of one method. The holder of a method keeps this object, so that a call only adds to its
 * numbers. Owned by one event loop.
 */
public final class MethodMetrics {
    static final Outcome[] OUTCOMES = Outcome.values();
    private static final double S_PER_NS = 1e-9;

    private final String service;
    private final String method;
    /** Null where calls tell how long they took. */
    private final TurnAnswers turn;

    private final long[] answers = new long[OUTCOMES.length];
    private final DurationHistogram durations = new DurationHistogram();
    private long served;
    private double waitedSeconds;
    private double servedSeconds;
    private double restSeconds;

    MethodMetrics(String service, String method, TurnAnswers turn) {
        this.service = service;
        this.method = method;
        this.turn = turn;
    }

    /** Called when a call has ended so; the time that it took is not known, or not worth knowing. */
    public void answered(Outcome outcome) {
        answers[outcome.ordinal()]++;
    }

    public void answered(Outcome outcome, long durationNs) {
        answers[outcome.ordinal()]++;
        durations.record(durationNs);
    }

    /** Called when a call is answered in this turn of the event loop, with the end of which its duration ends. */
    public void answeredInTurn(Outcome outcome, long receivedNs) {
        answers[outcome.ordinal()]++;
        turn.add(this, receivedNs, TurnAnswers.NEVER);
    }

    /** Adds a call that was served in turn, with the times at which it was sent upstream and answered there. */
    public void servedInTurn(Outcome outcome, long receivedNs, long sentNs, long arrivedNs) {
        answers[outcome.ordinal()]++;
        served(sentNs - receivedNs, arrivedNs - sentNs);
        turn.add(this, receivedNs, arrivedNs);
    }

    /** @param arrivedNs when the answer from upstream was read, or {@link TurnAnswers#NEVER} */
    void ended(long receivedNs, long arrivedNs, long nowNs) {
        durations.record(nowNs - receivedNs);
        if (arrivedNs != TurnAnswers.NEVER) {
            restSeconds += (nowNs - arrivedNs) * S_PER_NS;
        }
    }

    /** Called when an answered call is traced. */
    public void traced(Exemplar call) {
        durations.keep(call);
    }

    /** Called when a call was answered upstream, after so long in the queue and so long there. */
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

    /** Returns the time from the answers from upstream to those of the event loop. */
    double restSeconds() {
        return restSeconds;
    }
}
