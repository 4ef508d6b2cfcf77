package io.dubbomesh.benchmark.simulate.world;

import org.HdrHistogram.Histogram;

/** What became of the calls of a run: how many succeeded, and how long those took. */
public final class Tally {
    private static final long LONGEST_NS = 120_000_000_000L;

    private final Histogram latenciesNs = new Histogram(LONGEST_NS, 3);
    private long failed;
    private long seconds;

    public void succeeded(long durationNs) {
        latenciesNs.recordValue(Math.min(LONGEST_NS, durationNs));
    }

    public void failed() {
        failed++;
    }

    /** Adds the time in which these calls were sent. */
    public void lasted(long durationNs) {
        seconds += durationNs / 1_000_000_000L;
    }

    public void add(Tally other) {
        latenciesNs.add(other.latenciesNs);
        failed += other.failed;
        seconds += other.seconds;
    }

    public long calls() {
        return latenciesNs.getTotalCount() + failed;
    }

    public long errors() {
        return failed;
    }

    /** Returns the part of the calls that succeeded. */
    public double success() {
        return calls() == 0 ? 1 : (double) latenciesNs.getTotalCount() / calls();
    }

    /** Returns the calls that succeeded, per second. */
    public double goodput() {
        return seconds == 0 ? 0 : (double) latenciesNs.getTotalCount() / seconds;
    }

    public double latencyMs(double percentile) {
        return latenciesNs.getValueAtPercentile(percentile) / 1e6;
    }
}
