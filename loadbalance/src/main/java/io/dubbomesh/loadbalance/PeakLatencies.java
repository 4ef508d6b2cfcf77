package io.dubbomesh.loadbalance;

import io.dubbomesh.loadbalance.estimate.ExponentialDecay;

/**
 * The latency of each endpoint as Finagle's PeakEwma keeps it: it rises to a higher one at once, and falls to lower
 * ones in the way of a moving average, by the time since the last answer; without answers it falls to nothing, so that
 * a slow endpoint is tried again.
 */
final class PeakLatencies {
    /** The time in which two thirds are forgotten: Finagle's decay time. */
    private static final ExponentialDecay DECAY = new ExponentialDecay(10e9);
    /** The part of the next answer in the latency of all endpoints. */
    private static final double TYPICAL_PART = 1.0 / 64;

    private final double[] latencyNs;
    private final long[] observedNs;
    /** The moving average of all answers with a result; 0 if there was none. */
    private double typicalNs;

    PeakLatencies(int size) {
        latencyNs = new double[size];
        observedNs = new long[size];
    }

    /** Returns the latency of an endpoint; 0 if none is known. */
    double latencyNs(int index, long nowNs) {
        double latency = latencyNs[index];
        return latency == 0 ? 0 : latency * DECAY.left(nowNs - observedNs[index]);
    }

    void answered(int index, long durationNs, long nowNs) {
        typicalNs += typicalNs == 0 ? durationNs : (durationNs - typicalNs) * TYPICAL_PART;
        observe(index, durationNs, nowNs);
    }

    /** Takes a failure or an exception for an answer that was no faster than those of others: errors come fast. */
    void endedWithoutResult(int index, long durationNs, long nowNs) {
        observe(index, Math.max(durationNs, typicalNs), nowNs);
    }

    private void observe(int index, double durationNs, long nowNs) {
        double kept = DECAY.left(nowNs - observedNs[index]);
        double latency = latencyNs[index];
        latencyNs[index] = durationNs > latency ? durationNs : latency * kept + durationNs * (1 - kept);
        observedNs[index] = nowNs;
    }

    /** Returns the latencies of a changed list, as {@link LoadBalancer#changed}. */
    PeakLatencies changed(int[] previousIndex) {
        PeakLatencies changed = new PeakLatencies(previousIndex.length);
        changed.typicalNs = typicalNs;
        for (int i = 0; i < previousIndex.length; i++) {
            if (previousIndex[i] >= 0) {
                changed.latencyNs[i] = latencyNs[previousIndex[i]];
                changed.observedNs[i] = observedNs[previousIndex[i]];
            }
        }
        return changed;
    }
}
