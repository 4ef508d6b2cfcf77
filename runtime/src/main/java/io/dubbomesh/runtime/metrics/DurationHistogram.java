package io.dubbomesh.runtime.metrics;

/** How often things took how long, in the cells of {@link DurationBuckets}. Used by one thread. */
public final class DurationHistogram {
    private static final double S_PER_NS = 1e-9;

    private final long[] counts = new long[DurationBuckets.CELLS];
    private double sumSeconds;

    public void record(long durationNs) {
        counts[DurationBuckets.cellOf(durationNs)]++;
        sumSeconds += Math.max(0, durationNs) * S_PER_NS;
    }

    void add(DurationHistogram other) {
        for (int cell = 0; cell < counts.length; cell++) {
            counts[cell] += other.counts[cell];
        }
        sumSeconds += other.sumSeconds;
    }

    public long count(int cell) {
        return counts[cell];
    }

    public long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    public double sumSeconds() {
        return sumSeconds;
    }
}
