package io.dubbomesh.client.call;

import java.util.concurrent.TimeUnit;

/**
 * The latencies of one event loop's calls, of which a {@link ServiceLimit} learns. They are handed over some at a time,
 * so that the loops seldom meet at its lock. Owned by the loop.
 */
final class LatencySamples {
    private static final int MAX_CALLS = 16;
    private static final long MAX_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ServiceLimit limit;
    /** Calls that were sent earlier do not tell of the limit in force. */
    private long sinceNs;

    private int calls;
    private long sumNs;
    private long firstNs;

    LatencySamples(ServiceLimit limit) {
        this.limit = limit;
        sinceNs = limit.inForceSinceNs();
    }

    void add(long sentNs, long nowNs) {
        if (sentNs - sinceNs < 0) {
            return;
        }
        if (calls == 0) {
            firstNs = nowNs;
        }
        calls++;
        sumNs += nowNs - sentNs;
        if (calls >= MAX_CALLS || nowNs - firstNs >= MAX_DELAY_NS) {
            int count = calls;
            long sum = sumNs;
            // First, since the limit can begin calls of this loop.
            calls = 0;
            sumNs = 0;
            sinceNs = limit.learn(count, sum, sinceNs, nowNs);
        }
    }
}
