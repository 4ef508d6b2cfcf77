package io.dubbomesh.consumer.upstream.call;

/**
 * Allows one call in ten to be sent a second time, counted over a sliding window of ten seconds, so that retries cannot
 * feed an overload. A few are free, for clients that call seldom. Owned by one event loop.
 */
public final class RetryBudget {
    private static final int SLICES = 10;
    private static final long SLICE_NS = 1_000_000_000;
    private static final int FREE = 10;

    private final int[] calls = new int[SLICES];
    private final int[] retries = new int[SLICES];
    private long totalCalls;
    private long totalRetries;
    private long slice;

    public RetryBudget(long nowNs) {
        slice = nowNs / SLICE_NS;
    }

    public void called(long nowNs) {
        slideTo(nowNs);
        calls[(int) (slice % SLICES)]++;
        totalCalls++;
    }

    /** Takes one retry out of the budget if there is one. */
    public boolean tryRetry(long nowNs) {
        slideTo(nowNs);
        if (totalRetries >= FREE && (totalRetries + 1) * 10 > totalCalls) {
            return false;
        }
        retries[(int) (slice % SLICES)]++;
        totalRetries++;
        return true;
    }

    private void slideTo(long nowNs) {
        long current = nowNs / SLICE_NS;
        if (current == slice) {
            return;
        }
        for (long passed = Math.max(slice, current - SLICES) + 1; passed <= current; passed++) {
            int index = (int) (passed % SLICES);
            totalCalls -= calls[index];
            totalRetries -= retries[index];
            calls[index] = 0;
            retries[index] = 0;
        }
        slice = current;
    }
}
