package io.dubbomesh.client.call;

import java.util.concurrent.TimeUnit;

/**
 * A limit on calls in service that is learnt from the provider's answers: as many calls as the provider executes at
 * once, and no more.
 *
 * <p>As in TCP Vegas and in the VegasLimit and Gradient2Limit of Netflix's concurrency-limits, the limit grows while it
 * is used up and the latency does not rise, and shrinks by the calls that queue at the provider. Those compare the
 * latency with the lowest or the long-term one, and so take a provider that has become slower for one with a queue, or
 * a queue that stands for the provider's speed. Here, as in BBR's PROBE_RTT, Envoy's adaptive concurrency and brpc's
 * limiter, a <em>probe</em> tells them apart: for some tens of calls the limit is halved. If the latency falls with it,
 * and rises again with the whole limit, calls were queueing, and the limit shrinks by the same factor; if not, the
 * provider takes that long, and the limit stays. Nothing is concluded from a latency without a probe, since latencies
 * change for many reasons.
 *
 * <p>A refusal (status 100) needs no probe: the provider has as many threads as calls in service beside the refused
 * one.
 * <pre>
 *   WATCHING   --higher latency, or for long no probe--> PROBING    (half the limit)
 *   PROBING    --latency fell-->                         CONFIRMING (the whole limit)
 *              --latency stayed-->                       WATCHING
 *   CONFIRMING --enough answers-->                       WATCHING
 *   each       --refusal-->                              WATCHING
 * </pre>
 * The caller guards it.
 */
final class LearntLimit {
    private static final int FIRST = 20;
    /** The factor of the known latency from which a mean latency is suspicious. */
    private static final double SUSPICIOUS = 1.5;
    /**
     * The factor by which the latency falls when the calls in service are halved, if calls queue: 2 for a provider that
     * works at full capacity either way.
     */
    private static final double QUEUEING = 1.4;
    /**
     * The factor by which the latency grows again with the whole limit, if calls queue; the first calls find no queue
     * yet.
     */
    private static final double CONFIRMED = 1.3;
    /** The factor for calls that may have queued even with half the limit; otherwise as for queueing. */
    private static final double STILL_QUEUEING = 1.8;
    /** Calls more than the provider was found to execute at once, so that none of its threads waits for one. */
    private static final double HEADROOM = 1.1;

    private static final long MIN_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MIN_SAMPLES = 20;
    private static final int MAX_SAMPLES = 100;
    /** Latencies do not lower the limit below this: a queue of so few calls is short, and hard to tell from noise. */
    private static final int MIN_BY_LATENCY = 4;
    /** The time for which the limit does not grow after it was found to be too high. */
    private static final long HOLD_NS = TimeUnit.SECONDS.toNanos(3);
    /**
     * The least time between probes, for a higher latency and without a reason; at least this many times as long as the
     * last one took.
     */
    private static final long PROBE_PAUSE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final int PROBE_PAUSES = 10;
    private static final long ROUTINE_PROBE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int ROUTINE_PROBE_PAUSES = 100;

    enum Phase {
        WATCHING,
        PROBING,
        CONFIRMING
    }

    private final int min;
    private final int max;
    private int limit;
    /** Whether the limit is doubled: until it was found to be too high for the first time. */
    private boolean starting = true;

    /** The time before which it does not grow. */
    private long holdUntilNs;

    /**
     * Refusals that come together lower the limit to this at most, after the start: a thread takes calls only some time
     * after its answer, so that many calls may be refused which were sent for many answers of one read. 0 before the
     * first refusal.
     */
    private int refusalFloor;

    private long refusalsSinceNs;

    private Phase phase = Phase.WATCHING;
    private long phaseSinceNs;
    /** The number of calls that were sent and answered in this phase. */
    private int answers;

    private long sumNs;
    /** Whether all permits were taken at a time in this phase. */
    private boolean reached;

    /** The known duration of a call at the provider, in nanoseconds; 0 if unknown. */
    private long baselineNs;
    /** The mean latency before the probe, and in it. */
    private long latencyNs;

    private long probeLatencyNs;

    private long probedAtNs;
    private long probeTookNs;
    /** The last probe has found a queue, and maybe not all of it. */
    private boolean stillQueueing;

    LearntLimit(int min, int max, long nowNs) {
        this.min = min;
        this.max = max;
        limit = Math.max(min, Math.min(FIRST, max));
        phaseSinceNs = nowNs;
        holdUntilNs = nowNs;
        // The first probe waits for nothing.
        probedAtNs = nowNs - ROUTINE_PROBE_NS;
    }

    Phase phase() {
        return phase;
    }

    /** Returns the limit in force. */
    int limit() {
        return phase == Phase.PROBING ? probeLimit() : limit;
    }

    /** Returns what the limit is but for a probe. */
    int settled() {
        return limit;
    }

    private int probeLimit() {
        return Math.max(1, limit / 2);
    }

    /** Returns whether it was found to be too high once, so that it tells what the provider executes at once. */
    boolean isFound() {
        return !starting;
    }

    /** Returns since when the limit is in force; nothing is learnt from calls that were sent before. */
    long inForceSinceNs() {
        return phaseSinceNs;
    }

    /** Called when the last permit was taken. */
    void reached() {
        reached = true;
    }

    /** Called when calls that were sent since {@code sinceNs} were answered. */
    void answered(int calls, long latencySumNs, long sinceNs, long nowNs) {
        if (sinceNs != phaseSinceNs) {
            return;
        }
        answers += calls;
        sumNs += latencySumNs;
        long meanNs = Math.max(1, sumNs / answers);
        switch (phase) {
            case WATCHING -> {
                if (answers >= samples(limit) && nowNs - phaseSinceNs >= MIN_WINDOW_NS) {
                    endWindow(meanNs, nowNs);
                }
            }
            case PROBING -> {
                if (answers >= samples(3 * probeLimit())) {
                    endProbe(meanNs, nowNs);
                }
            }
            case CONFIRMING -> {
                if (answers >= samples(2 * limit)) {
                    confirm(meanNs, nowNs);
                }
            }
        }
    }

    private static int samples(int wanted) {
        return Math.max(MIN_SAMPLES, Math.min(wanted, MAX_SAMPLES));
    }

    private void endWindow(long meanNs, long nowNs) {
        if (meanNs < baselineNs) {
            baselineNs = (baselineNs + meanNs) / 2;
        }
        boolean used = reached;
        begin(Phase.WATCHING, nowNs);
        if (!used) {
            return;
        }
        boolean suspicious = meanNs > SUSPICIOUS * baselineNs;
        if (limit > MIN_BY_LATENCY && isProbeDue(suspicious, nowNs)) {
            latencyNs = meanNs;
            begin(Phase.PROBING, nowNs);
        } else if (!suspicious || limit <= MIN_BY_LATENCY) {
            grow(nowNs);
        }
    }

    private boolean isProbeDue(boolean suspicious, long nowNs) {
        if (stillQueueing) {
            return true;
        }
        long pauseNs = suspicious
                ? Math.max(PROBE_PAUSE_NS, PROBE_PAUSES * probeTookNs)
                : Math.max(ROUTINE_PROBE_NS, ROUTINE_PROBE_PAUSES * probeTookNs);
        return nowNs - probedAtNs >= pauseNs;
    }

    private void grow(long nowNs) {
        if (nowNs - holdUntilNs < 0) {
            return;
        }
        limit = Math.min(max, starting ? 2 * limit : limit + Math.max(1, limit / 20));
    }

    private void endProbe(long meanNs, long nowNs) {
        probedAtNs = nowNs;
        probeTookNs = nowNs - phaseSinceNs;
        probeLatencyNs = meanNs;
        if (latencyNs >= QUEUEING * meanNs) {
            begin(Phase.CONFIRMING, nowNs);
        } else {
            baselineNs = meanNs;
            stillQueueing = false;
            begin(Phase.WATCHING, nowNs);
        }
    }

    private void confirm(long meanNs, long nowNs) {
        boolean confirmed = meanNs >= CONFIRMED * probeLatencyNs;
        double fell = (double) latencyNs / probeLatencyNs;
        stillQueueing = confirmed && fell >= STILL_QUEUEING;
        baselineNs = confirmed ? probeLatencyNs : meanNs;
        if (confirmed) {
            // Not below what was tried, since nothing is known of that.
            shrink(Math.max(MIN_BY_LATENCY, (int) Math.max(HEADROOM * limit / fell, probeLimit())), nowNs);
        }
        begin(Phase.WATCHING, nowNs);
    }

    /**
     * Called when the provider has refused a call because all its threads are busy.
     *
     * @param inService calls in service, this one among them
     */
    void refused(int inService, long nowNs) {
        if (inService > limit) {
            return;
        }
        if (refusalFloor == 0 || nowNs - refusalsSinceNs >= MIN_WINDOW_NS) {
            refusalsSinceNs = nowNs;
            refusalFloor = starting ? min : limit - Math.max(1, limit / 10);
        }
        shrink(Math.max(refusalFloor, inService - 1), nowNs);
        begin(Phase.WATCHING, nowNs);
    }

    private void shrink(int to, long nowNs) {
        limit = Math.max(min, Math.min(limit, to));
        starting = false;
        holdUntilNs = nowNs + HOLD_NS;
    }

    private void begin(Phase next, long nowNs) {
        phase = next;
        phaseSinceNs = nowNs;
        answers = 0;
        sumNs = 0;
        reached = false;
    }
}
