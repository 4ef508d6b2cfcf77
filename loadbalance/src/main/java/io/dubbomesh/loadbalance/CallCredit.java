package io.dubbomesh.loadbalance;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The calls that endpoints are owed: what they would have had by their weights, less what they have had, but at most
 * one call either way. It decides between endpoints that are alike otherwise, so that strategies by load share calls by
 * weight when there is hardly any load, and forgets what an endpoint has missed because it was slow or full. Stride
 * scheduling (C. A. Waldspurger, 1995) with a bound.
 *
 * <p>What an endpoint is owed at first, up to half a call either way, is drawn at random: else all agents would send
 * their first calls to the first endpoint of the list, and go on in step.
 */
final class CallCredit {
    static final double BOUND = 1;
    private static final double FIRST_BOUND = 0.5;

    private final SplittableRandom random;
    /** The rounds so far: in one, each endpoint gets as many calls as its weight is. */
    private double rounds;
    /** The round at which an endpoint was owed nothing; NaN before its weight is known. */
    private final double[] evenAt;

    CallCredit(int size, SplittableRandom random) {
        this.random = random;
        evenAt = new double[size];
        Arrays.fill(evenAt, Double.NaN);
    }

    /** Returns the calls that an endpoint is owed, from -1 to 1. */
    double of(int index, int weight) {
        start(index, weight);
        double owed = (rounds - evenAt[index]) * weight;
        if (owed > BOUND) {
            evenAt[index] = rounds - BOUND / weight;
            return BOUND;
        }
        if (owed < -BOUND) {
            evenAt[index] = rounds + BOUND / weight;
            return -BOUND;
        }
        return owed;
    }

    private void start(int index, int weight) {
        if (Double.isNaN(evenAt[index])) {
            evenAt[index] = rounds + random.nextDouble(-FIRST_BOUND, FIRST_BOUND) / weight;
        }
    }

    /**
     * Called when an endpoint was picked.
     *
     * @param sum of the weights that share the calls: of the endpoints with room
     */
    void picked(int index, int weight, long sum) {
        start(index, weight);
        evenAt[index] += 1.0 / weight;
        rounds += 1.0 / sum;
    }

    /** Returns the credit of a changed list, as {@link LoadBalancer#changed}. */
    CallCredit changed(int[] previousIndex) {
        CallCredit changed = new CallCredit(previousIndex.length, random);
        changed.rounds = rounds;
        for (int i = 0; i < previousIndex.length; i++) {
            if (previousIndex[i] >= 0) {
                changed.evenAt[i] = evenAt[previousIndex[i]];
            }
        }
        return changed;
    }
}
