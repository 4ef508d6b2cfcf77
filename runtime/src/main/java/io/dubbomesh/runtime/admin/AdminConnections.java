package io.dubbomesh.runtime.admin;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections of the admin port, of which there may be only so many: beyond that the one whose client has kept the
 * server waiting for the longest is closed, so that slow clients keep out no others. Belongs to the event loop.
 */
final class AdminConnections {
    static final int MAX_OPEN = 256;
    /** The bytes of answers that clients have not read. */
    static final int MAX_UNREAD_BYTES = 8 * 1024 * 1024;

    private static final long CHECK_MS = 250;

    private final EventLoop loop;
    private final Ticker ticker;
    /** The connections that wait for their clients, the longest wait first. */
    private final Set<AdminConnection> waiting = new LinkedHashSet<>();

    private int open;
    private long unreadBytes;
    private boolean checking;

    AdminConnections(EventLoop loop, Ticker ticker) {
        this.loop = loop;
        this.ticker = ticker;
    }

    /** Returns the time that the timeouts of the connections are measured in. */
    long nowNs() {
        return ticker.nanoTime();
    }

    void opened(AdminConnection connection) {
        open++;
        waits(connection);
        // One that is served is not closed; there are fewer of these.
        while (open > MAX_OPEN && waiting.iterator().next() != connection) {
            waiting.iterator().next().close();
        }
        if (!checking) {
            checking = true;
            loop.schedule(this::checkTimeouts, CHECK_MS, TimeUnit.MILLISECONDS);
        }
    }

    void closed(AdminConnection connection) {
        open--;
        waiting.remove(connection);
    }

    /** Counts a connection as waiting from now on. */
    void waits(AdminConnection connection) {
        waiting.remove(connection);
        waiting.add(connection);
    }

    void isServed(AdminConnection connection) {
        waiting.remove(connection);
    }

    /** Counts more bytes of answers that wait for their clients. */
    void unread(AdminConnection connection, int bytes) {
        unreadBytes += bytes;
        if (unreadBytes > MAX_UNREAD_BYTES) {
            for (AdminConnection other : new ArrayList<>(waiting)) {
                if (unreadBytes > MAX_UNREAD_BYTES && other != connection && other.isAnswering()) {
                    other.close();
                }
            }
        }
    }

    void read(int bytes) {
        unreadBytes -= bytes;
    }

    private void checkTimeouts() {
        long nowNs = nowNs();
        for (AdminConnection connection : new ArrayList<>(waiting)) {
            connection.checkTimeout(nowNs);
        }
        checking = open > 0;
        if (checking) {
            loop.schedule(this::checkTimeouts, CHECK_MS, TimeUnit.MILLISECONDS);
        }
    }
}
