package io.dubbomesh.provider.mesh;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Connections whose peers have not sent a valid HELLO yet. Anybody can open one, so they are few, and one makes room for a new one: whoever opens many
 * keeps nobody out. It is the oldest of the address that has most of them, so that strangers take from each other and not from agents elsewhere. Where
 * that is the address of the new one, connections are left some time for their handshake first, and the new one is closed itself: so peers which all
 * connect at once from behind one address do not push each other out. Owned by one event loop.
 *
 * @param <C> a connection
 * @param <A> where it comes from
 */
final class OpeningConnections<C, A> {
    private static final long TIME_FOR_HELLO_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int max;
    /** Oldest first; when each was opened. */
    private final Map<A, LinkedHashMap<C, Long>> openedNs = new HashMap<>();

    private int size;

    OpeningConnections(int max) {
        this.max = max;
    }

    /**
     * Adds a connection if there is room for it or can be made.
     *
     * @return the one that is to be closed: another one, which is not among these any more, {@code connection} itself, which is not added then, or
     *     null for none
     */
    C add(C connection, A address, long nowNs) {
        C replaced = null;
        if (size >= max) {
            A busiest = busiest();
            boolean isItsOwn = busiest.equals(address) || openedNs.get(busiest).size() <= count(address) + 1;
            A from = isItsOwn && count(address) > 0 ? address : busiest;
            Map.Entry<C, Long> oldest = openedNs.get(from).entrySet().iterator().next();
            if (isItsOwn && nowNs - oldest.getValue() < TIME_FOR_HELLO_NS) {
                return connection;
            }
            replaced = oldest.getKey();
            remove(replaced, from);
        }
        openedNs.computeIfAbsent(address, first -> new LinkedHashMap<>()).put(connection, nowNs);
        size++;
        return replaced;
    }

    private int count(A address) {
        Map<C, Long> of = openedNs.get(address);
        return of == null ? 0 : of.size();
    }

    private A busiest() {
        A busiest = null;
        int most = 0;
        for (Map.Entry<A, LinkedHashMap<C, Long>> each : openedNs.entrySet()) {
            if (each.getValue().size() > most) {
                most = each.getValue().size();
                busiest = each.getKey();
            }
        }
        return busiest;
    }

    /** Its HELLO has come, or it is closed. */
    void remove(C connection, A address) {
        LinkedHashMap<C, Long> of = openedNs.get(address);
        if (of != null && of.remove(connection) != null) {
            size--;
            if (of.isEmpty()) {
                openedNs.remove(address);
            }
        }
    }
}
