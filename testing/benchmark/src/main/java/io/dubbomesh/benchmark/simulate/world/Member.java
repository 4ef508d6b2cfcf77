package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.consumer.health.EndpointHealth;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.upstream.link.EndpointRoom;

/** A backend as one event loop of a consumer agent knows it. */
public final class Member {
    public final Backend backend;
    final EndpointHealth health;
    final EndpointRoom room;
    final int weight;
    /** When its slow start began. */
    long startNs;

    /** Where it is in the list; -1 when it has left. */
    int index;
    /** The part of its weight that it gets, in hundredths. */
    int part;
    /** The process that its link leads to. */
    private int connection;
    /** The process with which calls were lost last; -1 for none. */
    private int lostConnection = -1;
    /** What it has told of its load last; null before. */
    BackendLoad load;
    /** The calls that were sent to it since. */
    int sentSince;

    Member(Backend backend, int weight, HealthSettings settings, EndpointRoom room, long startNs, long nowNs) {
        this.backend = backend;
        this.weight = weight;
        this.room = room;
        this.startNs = startNs;
        connection = backend.life();
        health = new EndpointHealth(settings, nowNs);
        room.limit(backend.limit());
    }

    /** @param borrowing whether this loop may exceed its share of the limit */
    boolean hasRoom(boolean borrowing, long nowNs) {
        return isAlive() && room.isLeft(borrowing, nowNs);
    }

    boolean isAlive() {
        return backend.isAlive() && connection == backend.life();
    }

    /** Opens a link to another process at the same address. Returns whether there is one. */
    boolean reconnect(long nowNs) {
        if (isAlive() || !backend.isAlive()) {
            return false;
        }
        connection = backend.life();
        startNs = nowNs;
        load = null;
        sentSince = 0;
        return true;
    }

    /** Returns whether a lost call is the first one of its link. */
    boolean noticeLoss() {
        boolean isFirst = lostConnection != connection;
        lostConnection = connection;
        return isFirst;
    }

    void report(BackendLoad reported) {
        load = reported;
        sentSince = 0;
    }
}
