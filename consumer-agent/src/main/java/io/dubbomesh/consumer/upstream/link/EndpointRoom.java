package io.dubbomesh.consumer.upstream.link;

import java.util.concurrent.TimeUnit;

/**
 * The bound of calls that one event loop may have in flight on an endpoint: its share of the endpoint's limit and, as
 * long as the endpoint refuses nothing, what the other loops do not use of theirs. Calls of unproven methods, which may
 * cost more than all others, are bounded to half of the share. Owned by the loop.
 */
public final class EndpointRoom {
    /** The time after a refusal for which this loop does not exceed its share. */
    private static final long REFUSAL_MEMORY_NS = TimeUnit.SECONDS.toNanos(1);

    private final EndpointLoads.Load load;
    private final int loopIndex;
    private final int loopCount;

    private int limit;
    private int share;
    private int inFlight;
    /** The calls in flight whose methods were unproven when they were sent. */
    private int unproven;

    private boolean refused;
    private long refusedNs;

    public EndpointRoom(EndpointLoads.Load load, int loopIndex, int loopCount) {
        this.load = load;
        this.loopIndex = loopIndex;
        this.loopCount = loopCount;
    }

    public void limit(int calls) {
        limit = calls;
        share = (int) ((calls + loopCount - 1L) / loopCount);
    }

    int limit() {
        return limit;
    }

    public int inFlight() {
        return inFlight;
    }

    /** @param borrowing whether what other loops do not use counts, too */
    public boolean isLeft(boolean borrowing, long nowNs) {
        return inFlight < share || borrowing && load.total() < limit && !wasRefused(nowNs);
    }

    /** Returns whether the calls of unproven methods are fewer than half of the share, or none. */
    boolean isLeftForUnproven() {
        return unproven < Math.max(1, share / 2);
    }

    /** Returns whether a call was given back a moment ago. */
    boolean wasRefused(long nowNs) {
        if (refused && nowNs - refusedNs > REFUSAL_MEMORY_NS) {
            refused = false;
        }
        return refused;
    }

    /** Returns whether a call was given back within so long, or a moment ago if that is shorter. */
    boolean wasRefused(long withinNs, long nowNs) {
        return wasRefused(nowNs) && nowNs - refusedNs < withinNs;
    }

    public void sent() {
        load.set(loopIndex, ++inFlight);
    }

    public void ended() {
        load.set(loopIndex, --inFlight);
    }

    /** Counts a call of an unproven method, which is {@link #sent}, too. */
    void unprovenSent() {
        unproven++;
    }

    void unprovenEnded() {
        unproven--;
    }

    public void refused(long nowNs) {
        refused = true;
        refusedNs = nowNs;
    }

    /** Appends how busy the endpoint is. Returns whether that says why it takes no more calls than its share. */
    boolean describe(StringBuilder text, long nowNs) {
        text.append(load.total())
                .append(" of this agent's calls in flight, limit ")
                .append(limit);
        if (!wasRefused(nowNs)) {
            return load.total() >= limit;
        }
        text.append(", refused one ").append(Elapsed.text(nowNs - refusedNs)).append(" ago");
        return true;
    }
}
