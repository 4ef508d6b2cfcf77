package io.dubbomesh.loadbalance;

/**
 * The calls that endpoints are owed: what they would have had by their weights, less what they have had, but at most
 * one call either way. It decides between endpoints that are alike otherwise, so that strategies by load share calls by
 * weight when there is hardly any load, and forgets what an endpoint has missed because it was slow or full. Stride
 * scheduling (C. A. Waldspurger, 1995) with a bound.
 */
final class CallCredit {
    static final double BOUND = 1;

    /** The rounds so far: in one, each endpoint gets as many calls as its weight is. */
    private double rounds;
    /** The round at which an endpoint was owed nothing. */
    private final double[] evenAt;

    CallCredit(int size) {
        this(0, new double[size]);
    }

    private CallCredit(double rounds, double[] evenAt) {
        this.rounds = rounds;
        this.evenAt = evenAt;
    }

    /** Returns the calls that an endpoint is owed, from -1 to 1. */
    double of(int index, int weight) {
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

    /** Called when an endpoint was picked. */
    void picked(int index, int weight, long weightSum) {
        evenAt[index] += 1.0 / weight;
        rounds += 1.0 / weightSum;
    }

    /** Returns the credit of a changed list, as {@link LoadBalancer#changed}; new endpoints are owed nothing. */
    CallCredit changed(int[] previousIndex) {
        double[] changed = new double[previousIndex.length];
        for (int i = 0; i < changed.length; i++) {
            changed[i] = previousIndex[i] < 0 ? rounds : evenAt[previousIndex[i]];
        }
        return new CallCredit(rounds, changed);
    }
}
