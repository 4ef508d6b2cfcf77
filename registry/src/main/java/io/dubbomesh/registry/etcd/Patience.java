package io.dubbomesh.registry.etcd;

/**
 * How long an answer of etcd is waited for. Doubles when none came in time, up to {@value #MOST} times: on a machine that is short of
 * processor time, giving up each time at the same point would mean to start anew for ever. Comes back with the first quick answer. Belongs
 * to one thread.
 */
final class Patience {
    private static final int MOST = 8;
    private static final int SPARE = 4;

    private final long leastMs;
    private long ms;

    Patience(long leastMs) {
        this.leastMs = leastMs;
        this.ms = leastMs;
    }

    long ms() {
        return ms;
    }

    void ranOut() {
        ms = Math.min(2 * ms, MOST * leastMs);
    }

    void answered(long tookMs) {
        ms = Math.max(leastMs, Math.min(ms, SPARE * tookMs));
    }
}
