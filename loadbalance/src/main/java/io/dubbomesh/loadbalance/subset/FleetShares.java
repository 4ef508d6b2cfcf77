package io.dubbomesh.loadbalance.subset;

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
    /** The part of the last number of answers in the usual number. */
    private static final double REPORTS_PART = 1.0 / 64;
    /** The bounds of a factor, 4 and its inverse: a wrong report must neither starve nor flood an endpoint. */
    private static final double BOUND = Math.log(4);

    private final double[] logFactor;
    /** The sum of the deviations that were reported since factors were moved. */
    private final double[] deviations;

    private int reports;
    private double usualReports;
    /** The mean of the reported loads. */
    private double meanLoad;

    private double meanDurationNs;

    private long answers;

    public FleetShares(int size) {
        logFactor = new double[size];
        deviations = new double[size];
    }

    /**
     * Called when an endpoint has answered with a result.
     *
     * @param load       the calls that it has of all agents, over its weight
     * @param durationNs of the call
     */
    public void answered(int index, double load, long durationNs) {
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
        add(index, 1);
    }

    private void add(int index, double deviation) {
        deviations[index] += deviation;
        reports++;
    }

    /** Moves the factors, to be called ten times a second. Returns whether any has changed. */
    public boolean settle() {
        if (reports == 0) {
            return false;
        }
        // The usual number: with that of this time, those that answer in bursts would get more.
        usualReports += usualReports == 0 ? reports : (reports - usualReports) * REPORTS_PART;
        double step = Math.min(STEP, STEP_OF_ALL * logFactor.length / usualReports)
                / Math.max(1, meanDurationNs / FOLLOWED_NS);
        double mean = 0;
        for (int i = 0; i < logFactor.length; i++) {
            logFactor[i] -= step * deviations[i];
            deviations[i] = 0;
            mean += logFactor[i] / logFactor.length;
        }
        for (int i = 0; i < logFactor.length; i++) {
            logFactor[i] = Math.max(-BOUND, Math.min(BOUND, logFactor[i] - mean));
        }
        reports = 0;
        return true;
    }

    /** Returns by what the share of an endpoint is to be multiplied. */
    public double factor(int index) {
        return Math.exp(logFactor[index]);
    }

    /** Returns the factors of a changed list, as {@link LoadBalancer#changed}; those of new endpoints are 1. */
    public FleetShares changed(int[] previousIndex) {
        FleetShares changed = new FleetShares(previousIndex.length);
        changed.meanLoad = meanLoad;
        changed.meanDurationNs = meanDurationNs;
        changed.answers = answers;
        changed.usualReports = usualReports;
        for (int i = 0; i < previousIndex.length; i++) {
            changed.logFactor[i] = previousIndex[i] < 0 ? 0 : logFactor[previousIndex[i]];
        }
        return changed;
    }
}
