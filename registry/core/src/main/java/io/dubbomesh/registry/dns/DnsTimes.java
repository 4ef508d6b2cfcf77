package io.dubbomesh.registry.dns;

import java.util.concurrent.TimeUnit;

/**
 * The intervals and timeouts of questions to name servers.
 *
 * @param timeoutMs for one answer
 * @param attempts  to get one
 * @param minTtlMs the shortest pause between two answers that found something, even with a shorter TTL: many servers
 *     answer with 0
 * @param maxTtlMs  the longest one
 * @param emptyMs   the pause after an answer that found nothing
 * @param holdMs    how long the last addresses stay in use when answers find nothing any more
 * @param retryMinMs the pause after a first failure; doubles
 * @param retryMaxMs up to this
 */
record DnsTimes(
        long timeoutMs,
        int attempts,
        long minTtlMs,
        long maxTtlMs,
        long emptyMs,
        long holdMs,
        long retryMinMs,
        long retryMaxMs) {
    static final DnsTimes DEFAULT = new DnsTimes(2_000, 3, 1_000, 60_000, 5_000, 30_000, 500, 10_000);

    /** Returns the pause after an answer that found something. */
    long pauseMs(long ttlSeconds) {
        return ttlSeconds >= TimeUnit.MILLISECONDS.toSeconds(maxTtlMs)
                ? maxTtlMs
                : Math.max(minTtlMs, TimeUnit.SECONDS.toMillis(ttlSeconds));
    }
}
