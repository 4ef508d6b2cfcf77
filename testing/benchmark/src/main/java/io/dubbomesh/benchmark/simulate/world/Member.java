package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.consumer.health.EndpointHealth;
import io.dubbomesh.consumer.health.HealthSettings;

/** A backend as one consumer agent knows it. */
public final class Member {
    public final Backend backend;
    final EndpointHealth health;
    /** When its slow start began. */
    final long startNs;

    /** Where it is in the list; -1 when it has left. */
    int index;

    int weight;
    /** The part of its weight that it gets, in hundredths. */
    int part;

    int inFlight;
    /** What it has told of its load last; null before. */
    BackendLoad load;
    /** The calls that were sent to it since. */
    int sentSince;

    Member(Backend backend, int weight, HealthSettings settings, long startNs, long nowNs) {
        this.backend = backend;
        this.weight = weight;
        this.startNs = startNs;
        health = new EndpointHealth(settings, nowNs);
    }

    /** @param loops of the agent, among which the limit is shared */
    boolean hasRoom(int loops) {
        return backend.isAlive() && inFlight < (backend.limit() - 1) / loops + 1;
    }
}
