package io.dubbomesh.provider.mesh;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Connections whose peers have not sent a valid HELLO yet. Anybody can open one, so they are few, and one makes room for a new one: whoever opens many
 * keeps nobody out. It is the oldest of the address that has most of them, so that strangers take from each other and not from agents elsewhere; among
 * addresses with as many, that of the oldest connection. So a stranger with many addresses leaves each new connection the time in which he opens as
 * many others as there may be.
 *
 * <p>Where the address of the new one would have most of them, connections are left some time for their handshake first, and the new one is closed
 * itself: so peers which all connect at once from behind one address do not push each other out.
 *
 * <p>What is done for a connection takes a time that grows with the logarithm of their number. Owned by one event loop.
 *
 * @param <C> a connection
 * @param <A> where it comes from
 */
final class OpeningConnections<C, A> {
    private static final long TIME_FOR_HELLO_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int max;
    private final Map<A, Origin> origins = new HashMap<>();
    /** The same ones; the first of them makes room. */
    private final TreeSet<Origin> ranked =
            new TreeSet<>(Comparator.comparingInt(Origin::count).reversed().thenComparingLong(Origin::oldestNumber));

    private int size;
    private long lastNumber;

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
            Origin from = ranked.first();
            Origin own = origins.get(address);
            if (own != null && own.count() + 1 >= from.count()) {
                if (nowNs - own.oldest().getValue().openedNs < TIME_FOR_HELLO_NS) {
                    return connection;
                }
                from = own;
            }
            replaced = from.oldest().getKey();
            remove(replaced, from.address);
        }
        Origin origin = origins.computeIfAbsent(address, Origin::new);
        ranked.remove(origin);
        origin.opened.put(connection, new Opened(++lastNumber, nowNs));
        ranked.add(origin);
        size++;
        return replaced;
    }

    /** Its HELLO has come, or it is closed. */
    void remove(C connection, A address) {
        Origin origin = origins.get(address);
        if (origin == null || !origin.opened.containsKey(connection)) {
            return;
        }
        ranked.remove(origin);
        origin.opened.remove(connection);
        size--;
        if (origin.count() == 0) {
            origins.remove(address);
        } else {
            ranked.add(origin);
        }
    }

    /** @param number counts the connections */
    private record Opened(long number, long openedNs) {}

    /** An address, with its connections, oldest first. What it is ranked by may change only while it is not ranked. */
    private final class Origin {
        final A address;
        final Map<C, Opened> opened = new LinkedHashMap<>();

        Origin(A address) {
            this.address = address;
        }

        int count() {
            return opened.size();
        }

        Map.Entry<C, Opened> oldest() {
            return opened.entrySet().iterator().next();
        }

        long oldestNumber() {
            return opened.isEmpty() ? Long.MAX_VALUE : oldest().getValue().number;
        }
    }
}
