package io.dubbomesh.consumer.upstream;

import java.util.Iterator;
import java.util.LinkedHashSet;

/** The pools with calls that wait for room at one endpoint, in the order of their turns. Owned by one event loop. */
final class WaitingPools {
    private final LinkedHashSet<EndpointPool> turns = new LinkedHashSet<>();

    boolean isEmpty() {
        return turns.isEmpty();
    }

    int size() {
        return turns.size();
    }

    void add(EndpointPool pool) {
        turns.add(pool);
    }

    void remove(EndpointPool pool) {
        turns.remove(pool);
    }

    /** The pool whose turn it is; it will be the last one then. There must be one. */
    EndpointPool next() {
        Iterator<EndpointPool> first = turns.iterator();
        EndpointPool pool = first.next();
        first.remove();
        turns.add(pool);
        return pool;
    }
}
