package io.dubbomesh.loadbalance;

import java.util.Arrays;

/**
 * How much more often the calls of an endpoint end without a result than those of the others: with an exception of the
 * service, say, which may be the fault of the caller as well as that of the provider. Where all endpoints have as many,
 * it is the caller, and they count nothing; an endpoint that has far more of them is like one that fails.
 */
final class MissingResults {
    /** The part of the last call in the rate of an endpoint. */
    private static final double LAST_PART = 1.0 / 16;
    /** So many times the rate of the others, and this much more, may be chance. */
    private static final double TIMES_OTHERS = 2;

    private static final double MORE_THAN_OTHERS = 0.1;
    /** The level of an endpoint that gives no results while all others do: somewhat more than of one failure. */
    private static final double LEVEL_OF_ALL = 3;

    private static final double NEARLY_NONE = 0.1;
    private static final double HALF_LIFE_NS = 5e9;

    private final double[] rate;
    private final long[] endedNs;
    private double rateSum;

    MissingResults(int size) {
        rate = new double[size];
        endedNs = new long[size];
    }

    /** Returns 0 for an endpoint like the others, up to {@link #LEVEL_OF_ALL} for one without results. */
    double level(int index, long nowNs) {
        if (rate[index] <= MORE_THAN_OTHERS || rate.length == 1) {
            return 0;
        }
        double others = (rateSum - rate[index]) / (rate.length - 1);
        double more = rate[index] - TIMES_OTHERS * others - MORE_THAN_OTHERS;
        if (more <= 0) {
            return 0;
        }
        double level = LEVEL_OF_ALL * more * Math.exp(-Math.log(2) * (nowNs - endedNs[index]) / HALF_LIFE_NS);
        return level < NEARLY_NONE ? 0 : level;
    }

    void withResult(int index, long nowNs) {
        if (rate[index] > 0) {
            ended(index, 0, nowNs);
        }
    }

    void withoutResult(int index, long nowNs) {
        ended(index, 1, nowNs);
    }

    private void ended(int index, int without, long nowNs) {
        double change = (without - rate[index]) * LAST_PART;
        rate[index] += change;
        rateSum += change;
        endedNs[index] = nowNs;
    }

    void clear(int index) {
        rateSum -= rate[index];
        rate[index] = 0;
    }

    /** Returns the rates of a changed list, as {@link LoadBalancer#changed}; those of new ones are like the others. */
    MissingResults changed(int[] previousIndex) {
        MissingResults changed = new MissingResults(previousIndex.length);
        double mean = rate.length == 0 ? 0 : rateSum / rate.length;
        Arrays.setAll(changed.rate, i -> previousIndex[i] < 0 ? mean : rate[previousIndex[i]]);
        Arrays.setAll(changed.endedNs, i -> previousIndex[i] < 0 ? 0 : endedNs[previousIndex[i]]);
        changed.rateSum = Arrays.stream(changed.rate).sum();
        return changed;
    }
}
