package io.dubbomesh.consumer.upstream.directory;

import java.util.concurrent.TimeUnit;

/**
 * The number of endpoints of a large service that a pool has: as many as its subset is to have, and another one for
 * each of them that takes no calls, so that as many as wanted do. Belongs to one event loop.
 */
public final class SubsetSize {
    /**
     * The time for which there must be more than needed before links are closed: an endpoint that has come back may go
     * again.
     */
    private static final long SURPLUS_NS = TimeUnit.SECONDS.toNanos(10);

    private final int size;
    private int wanted;
    private boolean surplus;
    private long surplusSinceNs;

    /** @param size how many endpoints are to take calls; 0 for all */
    public SubsetSize(int size) {
        this.size = size;
        wanted = size;
    }

    public int wanted() {
        return wanted;
    }

    /**
     * Looks at how the members do; returns whether another number is wanted now.
     *
     * @param members    that the pool has
     * @param usable     of these those that take calls, or are tried for the first time
     * @param candidates that there are
     */
    public boolean adjust(int members, int usable, int candidates, long nowNs) {
        if (usable < size && members < candidates) {
            surplus = false;
            // Where none takes calls, the fault may be this agent's, and more links would not help.
            int most = usable == 0 ? Math.min(candidates, 2 * size) : candidates;
            int grown = Math.min(most, members + size - usable);
            boolean changed = grown > wanted;
            wanted = Math.max(wanted, grown);
            return changed;
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
        wanted = Math.max(size, members - (usable - size));
        return true;
    }
}
