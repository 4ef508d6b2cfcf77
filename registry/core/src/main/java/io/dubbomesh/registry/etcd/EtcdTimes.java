package io.dubbomesh.registry.etcd;

import java.time.Duration;

/**
 * The intervals and timeouts of everything that concerns etcd.
 *
 * @param leaseSeconds how long keys outlive their agent, and how long endpoints are kept when etcd has lost its data
 * @param confirmMs    between two checks that the lease and the watch still exist
 * @param timeoutMs    for one answer, while answers come in time; see {@link AdaptiveTimeout}
 * @param retryMinMs   pause after a first failure; doubles
 * @param retryMaxMs   up to this
 * @param closeMs      what closing may take if etcd does not answer
 */
record EtcdTimes(long leaseSeconds, long confirmMs, long timeoutMs, long retryMinMs, long retryMaxMs, long closeMs) {
    private static final long MIN_LEASE_SECONDS = 2;
    private static final long MAX_LEASE_SECONDS = 3600;

    EtcdTimes {
        if (leaseSeconds < MIN_LEASE_SECONDS || leaseSeconds > MAX_LEASE_SECONDS) {
            throw new IllegalArgumentException("etcd lease: " + leaseSeconds + " s (expected: " + MIN_LEASE_SECONDS
                    + "-" + MAX_LEASE_SECONDS + ")");
        }
    }

    /** Returns the times with which a lost lease, watch or connection is noticed and repaired within three seconds. */
    static EtcdTimes of(Duration lease) {
        long leaseMs = lease.toMillis();
        return new EtcdTimes(lease.toSeconds(), Math.min(2_000, leaseMs / 4), 2_000, 100, 500, 2_000);
    }
}
