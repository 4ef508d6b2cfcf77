package io.dubbomesh.transport;

import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before the next attempt: doubled each time, jittered so that many who lost the same peer do not return at once. */
public final class Backoff {
    private final long firstMs;
    private final long maxMs;
    private long currentMs;

    public Backoff(long firstMs, long maxMs) {
        this.firstMs = firstMs;
        this.maxMs = maxMs;
        currentMs = firstMs;
    }

    /** Milliseconds to wait now: between half of the current step and the whole of it. */
    public long nextMs() {
        long step = currentMs;
        currentMs = Math.min(maxMs, step * 2);
        return step / 2 + ThreadLocalRandom.current().nextLong(step / 2 + 1);
    }

    /** To be called after a success. */
    public void reset() {
        currentMs = firstMs;
    }
}
