package io.dubbomesh.runtime;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between attempts: each twice as long as the one before, up to a maximum, and cut at random by up to half, so
 * that many agents that lost the same peer do not come back at the same moment. Belongs to one thread.
 */
public final class Backoff {
    private final long firstMs;
    private final long maxMs;
    private long stepMs;

    public Backoff(long firstMs, long maxMs) {
        this.firstMs = firstMs;
        this.maxMs = maxMs;
        stepMs = firstMs;
    }

    /** Returns the pause before the next attempt: between half of the current step and the whole of it. */
    public long nextMs() {
        long step = stepMs;
        stepMs = Math.min(maxMs, step * 2);
        return step - ThreadLocalRandom.current().nextLong(step / 2 + 1);
    }

    /** Starts over with the first pause; to be called after a success. */
    public void reset() {
        stepMs = firstMs;
    }
}
