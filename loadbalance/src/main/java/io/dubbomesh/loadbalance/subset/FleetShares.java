package io.dubbomesh.loadbalance.subset;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * Evens out the load of a large service's endpoints over all agents. Subsets are drawn at random: some endpoints are in
 * those of many agents, others in those of few, and equal shares load them unevenly. But each answer reports the calls
 * that an endpoint has of all agents. One that has more of them, in relation to its weight, than the others of the
 * subset gets a smaller share of this agent's calls. Where all agents do so, the loads of endpoints approach each other
 * as far as subsets overlap, without an agent that knows of another one, and no link is moved.
 *
 * <p>The share of an endpoint is multiplied by a factor. With each answer its logarithm moves against the deviation of
 * the reported calls from the mean of the subset, by a part, since one answer says little (stochastic approximation; H.
 * Robbins and S. Monro, 1951), and a smaller one the more answers there are and the longer calls take: all agents act
 * on the same load, and see what comes of it when calls end. A call without a result counts as one of an endpoint with
 * twice the mean: errors come fast, and must not make an endpoint look idle.
 *
 * <p>A report is of one moment. Of the calls in it this loop knows its own at all times: their mean takes the place of
 * those of the moment, which leaves less to chance where an endpoint has few links (a control variate).
 *
 * <p>Owned by one event loop.
 */
public final class FleetShares {
    /** The part of a deviation by which one answer moves a factor. */
    private static final double STEP = 0.1;
    /** The part by which all answers of a tenth of a second move a factor on average. */
    private static final double STEP_OF_ALL = 0.1;
    /** Where calls take longer than so, a step is smaller in proportion. */
    private static final double FOLLOWED_NS = 1e9;
    /** An endpoint counts as if it had at most so many times the mean load more. */
    private static final double MOST_DEVIATION = 3;
    /** The part of the last answer in the mean. */
    private static final double MEAN_PART = 1.0 / 256;
    /** The part of this loop's calls at a tenth of a second in their mean. */
    private static final double OWN_PART = 1.0 / 10;
    /** The part of the last number of answers in the usual number. */
    private static final double REPORTS_PART = 1.0 / 64;
    /**
     * The factor of an endpoint that joins others, from its first report on: other agents call it already, or begin
     * to at the same time. One that gets too much at first is the busiest of all, one that gets too little is not
     * missed.
     */
    private static final double NEWCOMER = Math.log(0.5);
    /** The bounds of a factor, 4 and its inverse: a wrong report must neither starve nor flood an endpoint. */
    private static final double BOUND = Math.log(4);

    private final double[] logFactor;
    /** Whether there was a report: an endpoint that reports nothing keeps its share. */
    private final boolean[] known;
    /** The sum of the deviations that were reported since factors were moved. */
    private final double[] deviations;
    /** The means of this loop's calls, over the weights of the endpoints. */
    private final double[] ownMean;

    private int reports;
    private double usualReports;
    /** The mean of the reported loads. */
    private double meanLoad;

    private double meanDurationNs;

    private long answers;

    public FleetShares(int size) {
        logFactor = new double[size];
        known = new boolean[size];
        deviations = new double[size];
        ownMean = new double[size];
    }

    /**
     * Called when an endpoint has answered with a result.
     *
     * @param reported   the calls that it has of all agents, over its weight
     * @param own        those of them that are this loop's, the answered one included
     * @param durationNs of the call
     */
    public void answered(int index, double reported, double own, long durationNs) {
        known[index] = true;
        double load = Math.max(0, reported - own + ownMean[index]);
        answers++;
        double part = Math.max(MEAN_PART, 1.0 / answers);
        meanLoad += (load - meanLoad) * part;
        meanDurationNs += (durationNs - meanDurationNs) * part;
        if (meanLoad > 0) {
            add(index, Math.min(MOST_DEVIATION, load / meanLoad - 1));
        }
    }

    /** Called when a call of an endpoint has failed or ended without a result. */
    public void endedWithoutResult(int index) {
        if (known[index]) {
            add(index, 1);
        }
    }

    private void add(int index, double deviation) {
        deviations[index] += deviation;
        reports++;
    }

    /**
     * Moves the factors, to be called ten times a second. Returns whether any has changed.
     *
     * @param own returns the calls that this loop has at an endpoint, over its weight
     */
    public boolean settle(IntToDoubleFunction own) {
        for (int i = 0; i < ownMean.length; i++) {
            ownMean[i] += (own.applyAsDouble(i) - ownMean[i]) * OWN_PART;
        }
        if (reports == 0) {
            return false;
        }
        // The usual number: with that of this time, those that answer in bursts would get more.
        usualReports += usualReports == 0 ? reports : (reports - usualReports) * REPORTS_PART;
        double step = Math.min(STEP, STEP_OF_ALL * logFactor.length / usualReports)
                / Math.max(1, meanDurationNs / FOLLOWED_NS);
        double sum = 0;
        int knownCount = 0;
        for (int i = 0; i < logFactor.length; i++) {
            if (known[i]) {
                logFactor[i] -= step * deviations[i];
                deviations[i] = 0;
                sum += logFactor[i];
                knownCount++;
            }
        }
        for (int i = 0; i < logFactor.length; i++) {
            if (known[i]) {
                logFactor[i] = Math.max(-BOUND, Math.min(BOUND, logFactor[i] - sum / knownCount));
            }
        }
        reports = 0;
        return true;
    }

    /** Returns by what the share of an endpoint is to be multiplied. */
    public double factor(int index) {
        return known[index] ? Math.exp(logFactor[index]) : 1;
    }

    /** Returns the factors of a changed list, as {@link LoadBalancer#changed}; new endpoints have none yet. */
    public FleetShares changed(int[] previousIndex) {
        FleetShares changed = new FleetShares(previousIndex.length);
        changed.meanLoad = meanLoad;
        changed.meanDurationNs = meanDurationNs;
        changed.answers = answers;
        changed.usualReports = usualReports;
        boolean anyStays = Arrays.stream(previousIndex).anyMatch(previous -> previous >= 0);
        for (int i = 0; i < previousIndex.length; i++) {
            int previous = previousIndex[i];
            if (previous >= 0) {
                changed.logFactor[i] = logFactor[previous];
                changed.known[i] = known[previous];
                changed.ownMean[i] = ownMean[previous];
            } else if (anyStays) {
                changed.logFactor[i] = NEWCOMER;
            }
        }
        return changed;
    }
}
