package io.dubbomesh.benchmark.simulate.world;

import java.util.Arrays;

/**
 * A provider's estimate of the time that a call takes now, by what calls took that came when there were about as many
 * in service, as Prequal's servers make it: moving averages for 1, 2, 3 to 4, 5 to 8 calls, and so on.
 */
final class LatencyByLoad {
    private static final double PART = 1.0 / 16;

    private final double[] averageNs = new double[Integer.SIZE];

    LatencyByLoad() {
        Arrays.fill(averageNs, Double.NaN);
    }

    private static int classOf(int calls) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, calls - 1));
    }

    /** @param calls that were here when it came, with itself */
    void add(int calls, long durationNs) {
        int of = classOf(calls);
        averageNs[of] = Double.isNaN(averageNs[of]) ? durationNs : averageNs[of] + (durationNs - averageNs[of]) * PART;
    }

    /** Returns the estimate for one of so many calls, by the nearest number that is known. */
    long estimateNs(int calls) {
        int of = classOf(calls);
        for (int distance = 0; distance < averageNs.length; distance++) {
            for (int near : new int[] {of - distance, of + distance}) {
                if (near >= 0 && near < averageNs.length && !Double.isNaN(averageNs[near])) {
                    return (long) averageNs[near];
                }
            }
        }
        return 0;
    }
}
