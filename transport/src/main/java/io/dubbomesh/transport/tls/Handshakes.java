package io.dubbomesh.transport.tls;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The handshakes under way, oldest first. Anybody can begin one, so they are limited, and the oldest makes room for a
 * new one: whoever begins many and stays silent keeps nobody out. Each is left some time first, so that peers which all
 * connect at once do not push each other out.
 *
 * @param <C> a connection
 */
final class Handshakes<C> {
    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int max;
    private final Map<C, Long> begunNs = new LinkedHashMap<>();

    Handshakes(int max) {
        this.max = max;
    }

    /**
     * Adds a connection if there is room for it or can be made.
     *
     * @return the one that is to be closed: the oldest, which is not among these any more, {@code connection} itself,
     *     which is not added then, or null for none
     */
    synchronized C begin(C connection, long nowNs) {
        C replaced = null;
        if (begunNs.size() >= max) {
            Iterator<Map.Entry<C, Long>> all = begunNs.entrySet().iterator();
            Map.Entry<C, Long> oldest = all.next();
            if (nowNs - oldest.getValue() < LEAST_NS) {
                return connection;
            }
            replaced = oldest.getKey();
            all.remove();
        }
        begunNs.put(connection, nowNs);
        return replaced;
    }

    /** It is done, or has failed. */
    synchronized void end(C connection) {
        begunNs.remove(connection);
    }

    synchronized int count() {
        return begunNs.size();
    }
}
