package io.dubbomesh.consumer.upstream.directory;

import java.util.concurrent.TimeUnit;

/**
 * The number of endpoints of a large service that a pool has: as many as its subset is to have, and another one for
 * each of them that takes no calls, so that as many as wanted do. Such replacements come from the zone of the agent,
 * and from elsewhere, as those that take calls do: where a zone is down, all of them come from elsewhere. Belongs to
 * one event loop.
 */
public final class SubsetSize {
    /**
     * The time for which there must be more than needed before links are closed: an endpoint that has come back may go
     * again.
     */
    private static final long SURPLUS_NS = TimeUnit.SECONDS.toNanos(10);

    private final int size;
    private int wanted;
    /** How many of those beyond the size are to be in the zone of the agent. */
    private int replacementsInZone;

    private boolean surplus;
    private long surplusSinceNs;

    /**
     * The members of a pool.
     *
     * @param usable       those that take calls, or are tried for the first time
     * @param usableInZone of these those in the zone of the agent
     */
    public record Members(int count, int usable, int usableInZone) {}

    /** @param size how many endpoints are to take calls; 0 for all */
    public SubsetSize(int size) {
        this.size = size;
        wanted = size;
    }

    public int wanted() {
        return wanted;
    }

    /** Returns how many of those beyond the size are to be in the zone of the agent. */
    int replacementsInZone() {
        return replacementsInZone;
    }

    /**
     * Looks at how the members do; returns whether another number is wanted now.
     *
     * @param candidates that there are
     */
    public boolean adjust(Members members, int candidates, long nowNs) {
        int usable = members.usable();
        if (usable < size && members.count() < candidates) {
            surplus = false;
            // Where none takes calls, the fault may be this agent's, and more links would not help.
            int most = usable == 0 ? Math.min(candidates, 2 * size) : candidates;
            int grown = Math.min(most, members.count() + size - usable);
            if (grown <= wanted) {
                return false;
            }
            replacementsInZone += usable == 0
                    ? (grown - wanted) / 2
                    : Math.round((float) (grown - wanted) * members.usableInZone() / usable);
            wanted = grown;
            return true;
        }
        if (usable <= size || wanted <= size) {
            surplus = false;
            return false;
        }
        if (!surplus) {
            surplus = true;
            surplusSinceNs = nowNs;
            return false;
        }
        if (nowNs - surplusSinceNs < SURPLUS_NS) {
            return false;
        }
        surplus = false;
        int reduced = Math.max(size, members.count() - (usable - size));
        replacementsInZone = Math.round((float) replacementsInZone * (reduced - size) / (wanted - size));
        wanted = reduced;
        return true;
    }
}
