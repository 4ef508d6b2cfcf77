package io.dubbomesh.consumer.server;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The open connections of an event loop, in an array in which each knows its place: an entry of a set would take 48
 * bytes for each. The last one takes the place of one that closes, so what goes over all of them in steps, between
 * which connections close, goes downwards: it omits none that stays open. Owned by the loop.
 */
final class OpenConnections {
    /** The place of a connection that is not open. */
    static final int NOWHERE = -1;

    private HttpConnection[] connections = new HttpConnection[16];
    private int size;

    int size() {
        return size;
    }

    HttpConnection at(int place) {
        return connections[place];
    }

    void add(HttpConnection connection) {
        if (size == connections.length) {
            connections = Arrays.copyOf(connections, 2 * size);
        }
        put(connection, size++);
    }

    /** Removes a connection, if it has not been removed. */
    void remove(HttpConnection connection) {
        int place = connection.place();
        if (place == NOWHERE) {
            return;
        }
        size--;
        put(connections[size], place);
        connections[size] = null;
        connection.place(NOWHERE);
    }

    private void put(HttpConnection connection, int place) {
        connections[place] = connection;
        connection.place(place);
    }

    boolean allMatch(Predicate<HttpConnection> condition) {
        for (int i = 0; i < size; i++) {
            if (!condition.test(connections[i])) {
                return false;
            }
        }
        return true;
    }
}
