package io.dubbomesh.registry;

import java.util.concurrent.ThreadLocalRandom;

/** Pauses that double from one failure to the next, each cut at random by up to half, so that agents spread their attempts. */
final class Backoff {
    private final long minMs;
    private final long maxMs;
    private long pauseMs;

    Backoff(long minMs, long maxMs) {
        this.minMs = minMs;
        this.maxMs = maxMs;
        this.pauseMs = minMs;
    }

    long nextMs() {
        long pause = pauseMs;
        pauseMs = Math.min(maxMs, pauseMs * 2);
        return pause - ThreadLocalRandom.current().nextLong(pause / 2 + 1);
    }

    void reset() {
        pauseMs = minMs;
    }
}
