package io.dubbomesh.transport.http2;

import java.util.concurrent.TimeUnit;

/**
 * Bounds the RST_STREAM that a peer is sent: since CVE-2023-44487 servers end a connection, with all its calls, on
 * which there are many, those of Netty behind 200 in 30 s. A provider that has stood still for some seconds would
 * receive that many at once for calls whose deadline has passed.
 */
final class ResetBudget {
    /** At once; as many are given back in a period, so that less than 200 fall into any. */
    static final int MAX = 80;

    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(30);
    static final long INTERVAL_NS = PERIOD_NS / MAX;

    private int left = MAX;
    private long sinceNs;

    ResetBudget(long nowNs) {
        sinceNs = nowNs;
    }

    /** Returns whether one more may be sent; takes it. */
    boolean tryTake(long nowNs) {
        long given = (nowNs - sinceNs) / INTERVAL_NS;
        if (given > 0) {
            left = (int) Math.min(MAX, left + given);
            sinceNs += given * INTERVAL_NS;
        }
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }

    /** Takes one that has to be sent. */
    void take(long nowNs) {
        if (!tryTake(nowNs)) {
            // It is one more in this period, and one less in the next.
            sinceNs += INTERVAL_NS;
        }
    }
}
