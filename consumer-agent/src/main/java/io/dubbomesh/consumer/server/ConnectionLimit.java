package io.dubbomesh.consumer.server;

import java.util.LinkedHashSet;
import java.util.Set;

/** Counts the connections of one event loop that serve requests, and those that linger. Owned by the loop. */
final class ConnectionLimit {
    /** Clients that are refused may leave their connections open: beyond these an answer may be lost to a reset. */
    private static final int MAX_LINGERING = 1024;

    private final int maxServing;
    /** Whether strangers can be told from clients that may call. */
    private final boolean authenticates;
    /** The connections that serve and of which no request was admitted yet, the oldest first. */
    private final Set<Admission> strangers = new LinkedHashSet<>();

    private int serving;
    private int lingering;

    ConnectionLimit(int maxServing, boolean authenticates) {
        this.maxServing = maxServing;
        this.authenticates = authenticates;
    }

    /**
     * Counts another connection, and returns false if there are as many as there may be. Where callers are
     * authenticated, the oldest stranger is closed for it, so that strangers lock no client out.
     */
    boolean tryServe(Admission newcomer) {
        if (serving >= maxServing && authenticates && !strangers.isEmpty()) {
            strangers.iterator().next().evict();
        }
        if (serving >= maxServing) {
            return false;
        }
        serving++;
        strangers.add(newcomer);
        return true;
    }

    /** Called when the first request of a connection was admitted. */
    void admitted(Admission admission) {
        strangers.remove(admission);
    }

    /** Called when a connection serves no more requests. */
    void stopServing(Admission admission) {
        strangers.remove(admission);
        serving--;
    }

    boolean tryLinger() {
        if (lingering >= MAX_LINGERING) {
            return false;
        }
        lingering++;
        return true;
    }

    void stopLingering() {
        lingering--;
    }

    int maxServing() {
        return maxServing;
    }

    /** Returns the number of connections that serve requests. */
    int serving() {
        return serving;
    }
}
