package io.dubbomesh.consumer.record;

import java.util.SplittableRandom;

/**
 * Chooses a part of what comes, each with the same probability and independent of the others. It draws how many come
 * before the next one that is chosen, so the others only count down. Used by one thread.
 */
public final class Sampling {
    private final SplittableRandom random = new SplittableRandom();
    /** The logarithm of the probability that one is not chosen. */
    private final double logPassed;
    /** The number of requests before the next one that is chosen. */
    private long left;

    /** @param probability from 0 to 1 */
    public Sampling(double probability) {
        logPassed = Math.log1p(-probability);
        left = draw();
    }

    /** Returns whether what has come is chosen. */
    public boolean chooses() {
        if (left > 0) {
            left--;
            return false;
        }
        left = draw();
        return true;
    }

    /** Draws a geometrically distributed number. */
    private long draw() {
        if (logPassed == 0) {
            return Long.MAX_VALUE;
        }
        // Above 0, where the logarithm is finite.
        return (long) (Math.log(1 - random.nextDouble()) / logPassed);
    }
}
