package io.dubbomesh.loadbalance;

import java.util.Arrays;

/**
 * How much the failures of each endpoint count. Errors often come faster than answers, and would attract calls: a
 * failing endpoint is idle and quick. So each failure counts as much as the calls that an endpoint usually has, and the
 * next one twice as much; each answer halves that, and so do five seconds, so that an endpoint that only fails is tried
 * once in that time. Calls without a result count less, as {@link MissingResults} has it.
 */
final class Failures {
    private static final double FIRST = 1;
    /** The level after four failures in a row: the endpoint is tried after 15 seconds. */
    private static final double MOST = 8;

    private static final double NEARLY_NONE = 0.1;
    private static final double HALF_LIFE_NS = 5e9;
    /** The part of the next pick in the calls that an endpoint usually has. */
    private static final double USUAL_PART = 1.0 / 64;

    private final double[] level;
    private final long[] changedNs;
    private final MissingResults missing;
    private double usualCalls;

    Failures(int size) {
        this(size, new MissingResults(size));
    }

    private Failures(int size, MissingResults missing) {
        this.missing = missing;
        level = new double[size];
        changedNs = new long[size];
    }

    /** Returns 0 for an endpoint that works, from 1 on for one that has failed lately. */
    double level(int index, long nowNs) {
        return failedLevel(index, nowNs) + missing.level(index, nowNs);
    }

    private double failedLevel(int index, long nowNs) {
        double last = level[index];
        if (last == 0) {
            return 0;
        }
        double left = last * Math.exp(-Math.log(2) * (nowNs - changedNs[index]) / HALF_LIFE_NS);
        if (left < NEARLY_NONE) {
            level[index] = 0;
            return 0;
        }
        return left;
    }

    /** Returns the calls in flight that the failures of an endpoint stand for. */
    double calls(int index, long nowNs) {
        return level(index, nowNs) * (1 + usualCalls);
    }

    /** @param calls that the endpoint has which is picked, in relation to its weight */
    void picked(double calls) {
        usualCalls += (calls - usualCalls) * USUAL_PART;
    }

    void answered(int index, long nowNs) {
        missing.withResult(index, nowNs);
        if (level[index] > 0) {
            set(index, failedLevel(index, nowNs) / 2, nowNs);
        }
    }

    void endedWithoutResult(int index, long nowNs) {
        missing.withoutResult(index, nowNs);
    }

    void failed(int index, long nowNs) {
        set(index, Math.max(FIRST, Math.min(MOST, 2 * failedLevel(index, nowNs))), nowNs);
    }

    void clear(int index) {
        level[index] = 0;
        missing.clear(index);
    }

    private void set(int index, double changed, long nowNs) {
        level[index] = changed;
        changedNs[index] = nowNs;
    }

    /** Returns the failures of a changed list, as {@link LoadBalancer#changed}. */
    Failures changed(int[] previousIndex) {
        Failures changed = new Failures(previousIndex.length, missing.changed(previousIndex));
        changed.usualCalls = usualCalls;
        Arrays.setAll(changed.level, i -> previousIndex[i] < 0 ? 0 : level[previousIndex[i]]);
        Arrays.setAll(changed.changedNs, i -> previousIndex[i] < 0 ? 0 : changedNs[previousIndex[i]]);
        return changed;
    }
}
