package io.dubbomesh.registry.etcd;

import java.util.concurrent.TimeUnit;

/**
 * Decides when etcd counts as away: when no member has answered, or for long enough, and tells what to log: when it begins, and once
 * a minute. Belongs to one thread.
 */
final class Outage {
    private static final long REMINDER_NS = TimeUnit.MINUTES.toNanos(1);

    private final int members;
    private final long patienceNs;
    private int failures;
    private long sinceNs;
    private boolean away;
    private long toldNs;

    /**
     * @param members    to be tried before etcd counts as away
     * @param patienceNs the longest time to try them
     */
    Outage(int members, long patienceNs) {
        this.members = members;
        this.patienceNs = patienceNs;
    }

    /** An attempt has failed. Returns what to log, or null if it was told lately. */
    String failed(String reason, long nowNs) {
        if (failures++ == 0) {
            sinceNs = nowNs;
        }
        if (!away && (failures >= members || nowNs - sinceNs >= patienceNs)) {
            away = true;
            toldNs = nowNs;
            return "is away: " + reason;
        }
        if (away && nowNs - toldNs >= REMINDER_NS) {
            toldNs = nowNs;
            return "has been away for " + TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs) + " s: " + reason;
        }
        return null;
    }

    /** Whether the last attempt failed. */
    boolean isFailing() {
        return failures > 0;
    }

    /** A member has answered; returns whether etcd was away until now. */
    boolean end() {
        boolean wasAway = away;
        away = false;
        failures = 0;
        return wasAway;
    }
}
