package io.dubbomesh.benchmark.simulate;

import org.HdrHistogram.Histogram;

/** What became of the calls of a run: how many succeeded, and how long those took. */
final class Tally {
    private static final long LONGEST_NS = 120_000_000_000L;

    private final Histogram latenciesNs = new Histogram(LONGEST_NS, 3);
    private long failed;
    private long seconds;

    void succeeded(long durationNs) {
        latenciesNs.recordValue(Math.min(LONGEST_NS, durationNs));
    }

    void failed() {
        failed++;
    }

    /** Adds the time in which these calls were sent. */
    void lasted(long durationNs) {
        seconds += durationNs / 1_000_000_000L;
    }

    void add(Tally other) {
        latenciesNs.add(other.latenciesNs);
        failed += other.failed;
        seconds += other.seconds;
    }

    long calls() {
        return latenciesNs.getTotalCount() + failed;
    }

    long errors() {
        return failed;
    }

    /** Returns the part of the calls that succeeded. */
    double success() {
        return calls() == 0 ? 1 : (double) latenciesNs.getTotalCount() / calls();
    }

    /** Returns the calls that succeeded, per second. */
    double goodput() {
        return seconds == 0 ? 0 : (double) latenciesNs.getTotalCount() / seconds;
    }

    double latencyMs(double percentile) {
        return latenciesNs.getValueAtPercentile(percentile) / 1e6;
    }
}
