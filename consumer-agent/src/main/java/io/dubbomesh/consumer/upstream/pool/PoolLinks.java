package io.dubbomesh.consumer.upstream.pool;

import java.util.concurrent.TimeUnit;

/**
 * Decides when the members of a pool have their links open: while calls come, or always where the operator wants them
 * warm. The first calls wait until all links are tried, so that they are spread as later ones are, but not long after
 * the first link is ready. Belongs to one event loop.
 */
final class PoolLinks {
    /**
     * The time for which calls wait for the other links when they could be sent on one; an address that does not answer
     * costs the first call that.
     */
    private static final long FIRST_LINKS_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The same, for an agent to be ready. */
    private static final long WARM_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Whether they stay open without calls. */
    private boolean warm;

    private boolean open;
    /** The time since which they are open or closed. */
    private long changedNs = System.nanoTime();
    /** Returns whether calls wait for the first links. */
    private boolean opening;

    private long firstLinkNs;

    /** Keeps them open without calls from now on. */
    void keepWarm() {
        warm = true;
    }

    boolean isWarm() {
        return warm;
    }

    boolean isOpen() {
        return open;
    }

    /** Called when the pool has other members than before. */
    void changed(PoolMember[] before, PoolMember[] members) {
        if (open) {
            openAll(members, before.length == 0);
        }
    }

    void open(PoolMember[] members, long nowNs) {
        if (!open) {
            open = true;
            changedNs = nowNs;
            openAll(members, true);
        }
    }

    private void openAll(PoolMember[] members, boolean first) {
        for (PoolMember member : members) {
            member.open();
        }
        if (first) {
            opening = anyConnecting(members) && !anyAlive(members);
            firstLinkNs = 0;
        }
    }

    /** Closes the links that no other pool needs, until calls come again. */
    void close(PoolMember[] members, long nowNs) {
        open = false;
        opening = false;
        changedNs = nowNs;
        for (PoolMember member : members) {
            member.close();
        }
    }

    boolean isIdle(long lastCallNs, long idleNs, long nowNs) {
        return open && !warm && nowNs - Math.max(lastCallNs, changedNs) >= idleNs;
    }

    /** Returns whether calls have come since they were closed: another pool has kept some of the links open. */
    boolean isCalledThoughClosed(long lastCallNs) {
        return !open && lastCallNs - changedNs > 0;
    }

    /** Returns whether calls waited for the first links when that was asked last. */
    boolean isOpening() {
        return opening;
    }

    /** Whether calls wait for the first links. */
    boolean isOpening(PoolMember[] members, long nowNs) {
        if (opening) {
            if (!anyConnecting(members)) {
                opening = false;
            } else if (anyAlive(members)) {
                if (firstLinkNs == 0) {
                    firstLinkNs = nowNs;
                } else if (nowNs - firstLinkNs > FIRST_LINKS_NS) {
                    opening = false;
                }
            }
        }
        return opening;
    }

    /** Returns whether every link was tried, or one is ready and the others have had time enough. */
    boolean areWarm(PoolMember[] members, long nowNs) {
        return !anyConnecting(members) || anyAlive(members) && nowNs - changedNs > WARM_NS;
    }

    static boolean anyConnecting(PoolMember[] members) {
        for (PoolMember member : members) {
            if (member.listedWeight() > 0 && member.endpoint().isConnecting()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether an endpoint with a weight is alive, with room or without. */
    static boolean anyAlive(PoolMember[] members) {
        for (PoolMember member : members) {
            if (member.isUsable()) {
                return true;
            }
        }
        return false;
    }
}
