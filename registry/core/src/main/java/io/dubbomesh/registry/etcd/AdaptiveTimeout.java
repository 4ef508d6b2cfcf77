package io.dubbomesh.registry.etcd;

/**
 * The timeout of one request to etcd. It doubles with each request that runs into it, up to {@value #MAX_FACTOR} times:
 * on a machine that is short of CPU time every attempt would otherwise give up at the same point and start again. A
 * quick answer brings it back. Belongs to one thread.
 */
final class AdaptiveTimeout {
    private static final int MAX_FACTOR = 8;
    /** The bound after an answer, in times of what the answer took. */
    private static final int HEADROOM = 4;

    private final long minMs;
    private long ms;

    AdaptiveTimeout(long minMs) {
        this.minMs = minMs;
        this.ms = minMs;
    }

    long ms() {
        return ms;
    }

    void expired() {
        ms = Math.min(2 * ms, MAX_FACTOR * minMs);
    }

    void answered(long tookMs) {
        ms = Math.max(minMs, Math.min(ms, HEADROOM * tookMs));
    }
}
