package io.dubbomesh.registry.thread;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a registry counts as away: when none of its servers has answered, or for long enough, and tells what to
 * log: when it begins, and once a minute. Belongs to one thread.
 */
public final class Outage {
    private static final long REMINDER_NS = TimeUnit.MINUTES.toNanos(1);

    private final int members;
    private final long patienceNs;
    private int failures;
    private long sinceNs;
    private boolean away;
    private long toldNs;

    /**
     * @param members    the servers to be tried before the registry counts as away
     * @param patienceNs the longest time to try them
     */
    public Outage(int members, long patienceNs) {
        this.members = members;
        this.patienceNs = patienceNs;
    }

    /** Returns the consequence for calls of a registry that is away, for the log. */
    public static String consequence(boolean endpointsAreKnown) {
        return endpointsAreKnown ? "known endpoints stay in use" : "no endpoints are known yet";
    }

    /** Called when an attempt has failed. Returns what to log, or null if it was told lately. */
    public String failed(String reason, long nowNs) {
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

    /** Returns whether the last attempt failed. */
    public boolean isFailing() {
        return failures > 0;
    }

    /** Called when a server has answered; returns whether the registry was away until now. */
    public boolean end() {
        boolean wasAway = away;
        away = false;
        failures = 0;
        return wasAway;
    }
}
