package io.dubbomesh.provider.mesh;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Connections whose peers have not sent their HELLO yet, oldest first. Anybody can open one, so they are few, and the oldest makes room for a
 * new one: whoever opens many and stays silent keeps nobody out. A connection is left some time for its TLS handshake first, so that peers which
 * all connect at once do not push each other out. Owned by one event loop.
 *
 * @param <C> a connection
 */
final class OpeningConnections<C> {
    private static final long TIME_FOR_HELLO_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int max;
    private final Map<C, Long> openedNs = new LinkedHashMap<>();

    OpeningConnections(int max) {
        this.max = max;
    }

    /**
     * Adds a connection if there is room for it or can be made.
     *
     * @return the one that is to be closed: the oldest, which is not among these any more, {@code connection} itself, which is not added then, or
     *     null for none
     */
    C add(C connection, long nowNs) {
        C replaced = null;
        if (openedNs.size() >= max) {
            Iterator<Map.Entry<C, Long>> all = openedNs.entrySet().iterator();
            Map.Entry<C, Long> oldest = all.next();
            if (nowNs - oldest.getValue() < TIME_FOR_HELLO_NS) {
                return connection;
            }
            replaced = oldest.getKey();
            all.remove();
        }
        openedNs.put(connection, nowNs);
        return replaced;
    }

    /** Its HELLO has come, or it is closed. */
    void remove(C connection) {
        openedNs.remove(connection);
    }
}
