package io.dubbomesh.consumer.upstream.pool;

import java.util.Arrays;

/**
 * The pool that calls of a route last found, by the index of the route: those without attachments where a rule goes by
 * them.
 */
final class RoutePools {
    private static final int FIRST_CAPACITY = 16;

    /** Null where none of its calls found a pool yet. */
    private EndpointPool[] pools = new EndpointPool[FIRST_CAPACITY];

    /** Returns null if there is none. */
    EndpointPool known(int route) {
        return route >= 0 && route < pools.length ? pools[route] : null;
    }

    void keep(int route, EndpointPool pool) {
        if (route >= pools.length) {
            pools = Arrays.copyOf(pools, Math.max(route + 1, pools.length * 2));
        }
        pools[route] = pool;
    }

    /** Removes a pool: its routes look for a pool again. */
    void remove(EndpointPool pool) {
        for (int route = 0; route < pools.length; route++) {
            if (pools[route] == pool) {
                pools[route] = null;
            }
        }
    }
}
