package io.dubbomesh.runtime.history;

import io.dubbomesh.runtime.metrics.DurationBuckets;
import io.dubbomesh.runtime.metrics.DurationHistogram;

/**
 * The durations of an interval's calls: what a histogram has counted at its end and not at its begin. Used by one
 * thread.
 */
final class Durations {
    private final long[] counts = new long[DurationBuckets.CELLS];
    private long count;

    /**
     * Adds an interval.
     *
     * @param before null if nothing was counted then
     * @param after  null if nothing is counted now
     */
    void add(DurationHistogram before, DurationHistogram after) {
        if (after == null) {
            return;
        }
        for (int cell = 0; cell < counts.length; cell++) {
            long more = after.count(cell) - (before == null ? 0 : before.count(cell));
            counts[cell] += more;
            count += more;
        }
    }

    /**
     * Returns the duration that this part of the calls took at most, between two bounds of the histogram by proportion;
     * NaN without calls.
     */
    float quantileMs(double quantile) {
        if (count <= 0) {
            return Float.NaN;
        }
        double rank = quantile * count;
        long below = 0;
        int cell = 0;
        while (cell < counts.length - 1 && below + counts[cell] < rank) {
            below += counts[cell];
            cell++;
        }
        double lowNs = DurationBuckets.lowerBoundNs(cell);
        double highNs = DurationBuckets.upperBoundNs(cell);
        double part = counts[cell] == 0 ? 0 : (rank - below) / counts[cell];
        return (float) ((lowNs + part * (highNs - lowNs)) / 1e6);
    }
}
