package io.dubbomesh.consumer.call;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.transport.metrics.CallMetrics;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * Finds the route of a request by the names as they were spelled in it, byte for byte, and decodes them only where the
 * spelling is new. A method gets its place when it has been executed, so that a client which invents names grows
 * nothing; a table that is full, in methods or in the bytes of their names, stays as it is, and what is not in it is
 * decoded each time. The routes without a place that were used last are remembered, so that calls of a new method that
 * come at once share one. Owned by one event loop.
 */
public final class Router {
    /** The bound of remembered ways of writing one name; more would let one method fill the table. */
    private static final int SPELLINGS_PER_ROUTE = 8;
    /** The bound of remembered routes without a place, and of the bytes of the names of each. */
    private static final int UNPLACED = 64;

    private static final int UNPLACED_NAMES = 1024;

    private static final byte[] NOT_SPELLED = {};
    private static final BooleanSupplier NONE_EXECUTED = () -> false;

    private final int capacity;
    private final CallMetrics metrics;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final Route[] table;
    private final byte[][] spellings;
    private final Map<MethodName, Route> routes = new HashMap<>();
    /** The routes without a place that were used last, the one whose use was longest ago is the first. */
    private final Map<MethodName, Route> unplaced = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Route, Integer> spellingCounts = new HashMap<>();
    private int spellingsKept;
    /** The bytes that names may still take, as they are sent and as they were spelled. */
    private long namesLeft;

    private long spellingsLeft;
    /** Whether a method was executed, and not only a service described. */
    private boolean executed;

    private final BooleanSupplier anyExecuted = () -> executed;

    /** @param capacity the number of methods, and of spellings, that are kept */
    public Router(int capacity, CallMetrics metrics) {
        this.capacity = capacity;
        this.metrics = metrics;
        namesLeft = MethodNames.maxTableBytes(capacity);
        spellingsLeft = namesLeft;
        int size = Integer.highestOneBit(Math.max(16, capacity * 4 - 1));
        table = new Route[size];
        spellings = new byte[size][];
    }

    /** Returns the route of a request; one that is not in the table if its method was never executed. */
    public Route find(SpelledNames names) throws CallException {
        int mask = table.length - 1;
        long hash = names.hash(seed);
        int at = (int) hash & mask;
        while (table[at] != null) {
            if (names.areEqual(spellings[at])) {
                return table[at];
            }
            at = at + 1 & mask;
        }
        MethodName name = names.decode();
        Route known = routes.get(name);
        if (known != null) {
            keepSpelling(known, names.rawKey(), at);
            return known;
        }
        Route recent = unplaced.get(name);
        return recent != null ? recent : remembered(make(name, names.rawKey(), hash));
    }

    /** Returns the route of a method that no request spells; one that is not kept if its method was never executed. */
    Route find(MethodName name) {
        Route known = routes.get(name);
        if (known != null) {
            return known;
        }
        Route recent = unplaced.get(name);
        return recent != null ? recent : remembered(make(name, NOT_SPELLED, 0));
    }

    private Route remembered(Route route) {
        if (route.encodedNames().length + route.spelling().length <= UNPLACED_NAMES) {
            if (unplaced.size() == UNPLACED) {
                Iterator<Route> eldest = unplaced.values().iterator();
                eldest.next();
                eldest.remove();
            }
            unplaced.put(route.name(), route);
        }
        return route;
    }

    /**
     * Returns a route for a call that the agent makes of itself, and not for a client; not the one of other calls, and
     * never unproven.
     */
    Route make(MethodName name) {
        return new Route(name, NOT_SPELLED, 0, NONE_EXECUTED, metrics);
    }

    private Route make(MethodName name, byte[] spelling, long hash) {
        return new Route(name, spelling, hash, anyExecuted, metrics);
    }

    /**
     * Gives a route, whose method was executed, its place, if there is one left and no other route of the same name
     * came first.
     */
    public void keep(Route route) {
        if (!route.isKept()) {
            route.prove(metrics.of(route.name().service(), route.name().method()));
            executed |= !route.isDescription();
        }
        int names = route.encodedNames().length;
        if (route.isKept() || routes.size() >= capacity || names > namesLeft || routes.containsKey(route.name())) {
            return;
        }
        namesLeft -= names;
        unplaced.remove(route.name());
        route.keepAt(routes.size());
        routes.put(route.name(), route);
        if (route.spelling() == NOT_SPELLED) {
            return;
        }
        int mask = table.length - 1;
        int at = (int) route.spellingHash() & mask;
        while (table[at] != null) {
            at = at + 1 & mask;
        }
        keepSpelling(route, route.spelling(), at);
    }

    /** Returns the metrics of the calls of all routes. */
    public CallMetrics metrics() {
        return metrics;
    }

    private void keepSpelling(Route route, byte[] spelling, int at) {
        int count = spellingCounts.getOrDefault(route, 0);
        if (spellingsKept < capacity * 2 && count < SPELLINGS_PER_ROUTE && spelling.length <= spellingsLeft) {
            spellingsLeft -= spelling.length;
            table[at] = route;
            spellings[at] = spelling;
            spellingsKept++;
            spellingCounts.put(route, count + 1);
        }
    }
}
