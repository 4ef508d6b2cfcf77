package io.dubbomesh.consumer.auth;

import java.util.concurrent.TimeUnit;

/**
 * Bounds what tokens that prove to be wrong may take of an event loop: a tenth of its time, so that a client that
 * floods it with forged ones does not hold up the others. Owned by the loop.
 */
final class FailedChecks {
    private static final int PART = 10;
    /** May be taken at once. */
    private static final long MOST_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A check that seems to take longer was interrupted. */
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private long leftNs = MOST_NS;
    private long filledNs;

    FailedChecks(long nowNs) {
        filledNs = nowNs;
    }

    /** Returns whether there is time for a check that may fail. */
    boolean mayCheck(long nowNs) {
        leftNs = Math.min(MOST_NS, leftNs + (nowNs - filledNs) / PART);
        filledNs = nowNs;
        return leftNs > 0;
    }

    void failed(long tookNs) {
        leftNs -= Math.min(tookNs, LONGEST_NS);
    }
}
