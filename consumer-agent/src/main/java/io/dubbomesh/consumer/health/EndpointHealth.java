package io.dubbomesh.consumer.health;

import io.dubbomesh.runtime.Backoff;

import java.util.concurrent.TimeUnit;

/**
 * Whether an endpoint takes part in the calls of one service, judged by how its calls end. This is what Envoy calls
 * outlier detection, with a probe in place of its fixed ejection time.
 * <pre>
 *   IN_ROTATION to EJECTED     when the owner ejects it, on the evidence that a method here returned
 *   EJECTED     to PROBING     with the first call that is sent to it after the pause
 *   PROBING     to EJECTED     when a call that was sent since the ejection fails, or all have ended in a way that
 *                              tells nothing: for a longer pause
 *   EJECTED, PROBING
 *               to IN_ROTATION when such a call is answered
 * </pre>
 * Calls that were sent before the last change of state tell nothing about the present one: they are not counted.
 * Belongs to one event loop.
 */
public final class EndpointHealth {
    /** An overloaded endpoint refuses too, but it answers calls in between. */
    static final long MIN_REFUSING_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Fewer calls that wait together may just be of a slow method. */
    static final int STALLED_CALLS = 5;
    /** The time in rotation after which the next pause is the first one again. */
    static final long RECOVERED_NS = TimeUnit.SECONDS.toNanos(10);
    /** A latency below this is never slow, in nanoseconds. */
    static final long SLOW_BY_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int TYPICAL_LATENCIES_REFUSING = 3;
    private static final int TYPICAL_LATENCIES_TIMEOUT = 3;
    private static final int TYPICAL_LATENCIES_STALL = 8;
    /** The standard errors by which a mean must exceed the bound to be more than chance. */
    private static final int STANDARD_ERRORS = 3;

    enum State {
        IN_ROTATION,
        EJECTED,
        PROBING
    }

    private final HealthSettings settings;
    private final Backoff pauses;
    private final LatencyWindow latencies = new LatencyWindow();
    private State state = State.IN_ROTATION;
    /** The time since which it is in rotation or ejected. */
    private long sinceNs;

    private long probeNs;
    private boolean ejectedAsSlow;
    private int inFlight;
    private int failuresInRow;
    private int refusalsInRow;
    private long refusingSinceNs;
    private boolean answeredSinceCheck;
    private boolean unanswered;
    private long unansweredSinceNs;
    /** The typical latency of the endpoint or, if too few calls are known, of the others; 0 if nothing is known. */
    private long typicalNs;
    /** The bound beyond which a latency is slow compared with the others. */
    private long slowNs = Long.MAX_VALUE;

    public EndpointHealth(HealthSettings settings, long nowNs) {
        this.settings = settings;
        pauses = new Backoff(settings.pauseMs(), settings.maxPauseMs());
        sinceNs = nowNs;
    }

    State state() {
        return state;
    }

    public boolean isInRotation() {
        return state == State.IN_ROTATION;
    }

    /** Returns whether it is ejected and the next call may go to it to see whether it works again. */
    public boolean isProbeDue(long nowNs) {
        return state == State.EJECTED && nowNs - probeNs >= 0;
    }

    /** Returns whether every call that was sent as a probe has ended in a way that tells nothing. */
    public boolean isProbeUndecided() {
        return state == State.PROBING && inFlight == 0;
    }

    public int inFlight() {
        return inFlight;
    }

    /** Returns the failures in a row. */
    public int failures() {
        return failuresInRow;
    }

    /** Returns the refusals in a row. */
    public int refusals() {
        return refusalsInRow;
    }

    /** Called when a call is sent to it. */
    public void sent(long nowNs) {
        inFlight++;
        if (isProbeDue(nowNs)) {
            state = State.PROBING;
        }
    }

    /** Called when a call is not in flight any more; how it ended, if that tells anything, was said before. */
    public void ended() {
        inFlight--;
    }

    /**
     * Called when the provider has executed a call. Returns true if that has brought the endpoint back into rotation.
     */
    public boolean answered(long sentNs, long nowNs) {
        answeredSinceCheck = true;
        if (isOld(sentNs)) {
            return false;
        }
        failuresInRow = 0;
        refusalsInRow = 0;
        long latencyNs = nowNs - sentNs;
        if (state == State.IN_ROTATION) {
            latencies.add(latencyNs);
            return false;
        }
        if (ejectedAsSlow && latencyNs > slowNs) {
            return probeFailed(nowNs);
        }
        state = State.IN_ROTATION;
        sinceNs = nowNs;
        latencies.clear();
        return true;
    }

    /** Called when a call failed at the provider or with its link. Returns true if the endpoint is to be ejected. */
    public boolean failed(long sentNs, long nowNs) {
        if (isOld(sentNs)) {
            return false;
        }
        if (state != State.IN_ROTATION) {
            return probeFailed(nowNs);
        }
        failuresInRow++;
        return failuresInRow >= settings.failures();
    }

    /**
     * Called when the deadline of a call has passed. It is not counted if it left less time than calls take: then it
     * tells about the client.
     *
     * @return true if the endpoint is to be ejected
     */
    public boolean timedOut(long sentNs, long nowNs) {
        return hadEnoughTime(sentNs, nowNs) && failed(sentNs, nowNs);
    }

    /** Returns whether a call that has timed out had as much time as calls take. */
    public boolean hadEnoughTime(long sentNs, long nowNs) {
        return nowNs - sentNs >= Math.min(settings.stallNs(), TYPICAL_LATENCIES_TIMEOUT * typicalNs + SLOW_BY_NS);
    }

    /** Called when a call was given back, not executed. Returns true if the endpoint is to be ejected. */
    public boolean refused(long sentNs, long nowNs) {
        if (isOld(sentNs)) {
            return false;
        }
        if (state != State.IN_ROTATION) {
            return probeFailed(nowNs);
        }
        if (refusalsInRow == 0) {
            refusingSinceNs = nowNs;
        }
        refusalsInRow++;
        return refusalsInRow >= settings.failures()
                && nowNs - refusingSinceNs >= Math.max(MIN_REFUSING_NS, TYPICAL_LATENCIES_REFUSING * typicalNs);
    }

    private boolean isOld(long sentNs) {
        return sentNs - sinceNs < 0;
    }

    private boolean probeFailed(long nowNs) {
        if (state == State.PROBING) {
            pause(nowNs);
        }
        return false;
    }

    /** Returns whether enough is known of its latency to compare it; in rotation only. */
    public boolean hasLatency() {
        return state == State.IN_ROTATION && latencies.hasEnough();
    }

    /** Returns the binary logarithm of its typical latency in nanoseconds. */
    public double latencyLog() {
        return latencies.mean();
    }

    /** Returns the typical latency; only if {@link #hasLatency}. */
    public long latencyNs() {
        return LatencyWindow.latencyNs(latencies.mean());
    }

    /**
     * Sets the latency to compare with; called at each check, before the methods below.
     *
     * @param medianLog of the endpoints in rotation, as {@link #latencyLog}
     */
    public void compareWith(double medianLog) {
        long medianNs = LatencyWindow.latencyNs(medianLog);
        slowNs = settings.slowness() * medianNs + SLOW_BY_NS;
        typicalNs = hasLatency() ? LatencyWindow.latencyNs(latencies.mean()) : medianNs;
    }

    /**
     * Returns at a check whether its calls have been waiting in vain.
     *
     * @param late if this check comes so late that this event loop, not the endpoint, may have kept calls waiting
     */
    public boolean isStalled(long nowNs, boolean late) {
        boolean waits = state == State.IN_ROTATION && inFlight >= STALLED_CALLS && !answeredSinceCheck && typicalNs > 0;
        answeredSinceCheck = false;
        if (late || !waits) {
            unanswered = false;
            return false;
        }
        if (!unanswered) {
            unanswered = true;
            unansweredSinceNs = nowNs;
        }
        return nowNs - unansweredSinceNs >= Math.max(settings.stallNs(), TYPICAL_LATENCIES_STALL * typicalNs);
    }

    /** Returns at a check whether its calls take much longer than those of the others, and not by chance. */
    public boolean isSlow() {
        return settings.slowness() > 0
                && hasLatency()
                && LatencyWindow.latencyNs(latencies.mean() - STANDARD_ERRORS * latencies.error()) > slowNs;
    }

    /** Reduces the weight of the calls so far; called at the end of a check. */
    public void ageLatency() {
        if (latencies.hasEnough()) {
            latencies.age();
        }
    }

    /** Takes it out of rotation. */
    public void eject(boolean asSlow, long nowNs) {
        if (nowNs - sinceNs >= RECOVERED_NS) {
            pauses.reset();
        }
        ejectedAsSlow = asSlow;
        failuresInRow = 0;
        refusalsInRow = 0;
        pause(nowNs);
    }

    /** Schedules another probe after a pause: the last one has told nothing. */
    public void postponeProbe(long nowNs) {
        pause(nowNs);
    }

    private void pause(long nowNs) {
        state = State.EJECTED;
        sinceNs = nowNs;
        probeNs = nowNs + TimeUnit.MILLISECONDS.toNanos(pauses.nextMs());
    }

    /** Returns the time at which the next probe may be sent, while it is ejected. */
    public long probeNs() {
        return probeNs;
    }
}
