package io.dubbomesh.provider;

import io.dubbomesh.registry.EndpointCodec;

/**
 * The calls a second that the provider can execute: as many as it executes at once over the time that one takes, by
 * Little's law. One that is given too much takes longer, and so counts for less; measures are averaged, so that this
 * does not swing. The first calls after a start, which take longer, do not count. A change within a tenth is not worth
 * a write to the registry.
 */
final class CapacityEstimate {
    /** Fewer calls tell too little of the time that one takes. */
    private static final int FEWEST_CALLS = 50;

    /**
     * The part of a change that counts at once, after the first measures, which have more: more calls make a provider
     * slower, maybe much slower.
     */
    private static final double NEW_PART = 0.25;

    private static final double WORTH_TELLING = 0.1;
    private static final double NS_PER_S = 1e9;

    private long calls;
    private long callsNs;
    /** Whether the first calls have been executed. */
    private boolean started;
    /** The measures that were averaged. */
    private int measures;

    private double perSecond;

    private int told;

    /**
     * Takes what the provider has executed since the start.
     *
     * @param executedNs how long that took all of these calls together
     * @param limit      the calls that it executes at once; 0 if that is not known
     * @return the calls a second, if they are to be told; else 0
     */
    int update(long executed, long executedNs, int limit) {
        long more = executed - calls;
        if (more < FEWEST_CALLS) {
            return 0;
        }
        double measured = limit * NS_PER_S * more / Math.max(1, executedNs - callsNs);
        calls = executed;
        callsNs = executedNs;
        if (!started || limit == 0) {
            started = true;
            return 0;
        }
        measures++;
        perSecond = measures == 1
                ? measured
                : perSecond * Math.pow(measured / perSecond, Math.max(NEW_PART, 1.0 / measures));
        int rounded = (int) Math.max(1, Math.min(EndpointCodec.MAX_CAPACITY, Math.round(perSecond)));
        if (Math.abs(rounded - told) <= WORTH_TELLING * told) {
            return 0;
        }
        told = rounded;
        return rounded;
    }
}
