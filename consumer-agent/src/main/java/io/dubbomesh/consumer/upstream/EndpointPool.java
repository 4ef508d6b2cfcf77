package io.dubbomesh.consumer.upstream;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.transport.call.StandingDelay;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The endpoints that serve one variant (version, group) of a service, and the calls that wait until one of them has room. Owned by one
 * event loop, which shares the endpoints among its pools.
 */
final class EndpointPool implements LoadView {
    final String service;
    final String version;
    final String group;
    final ArrayDeque<UpstreamCall> waiting = new ArrayDeque<>();
    final StandingDelay delay;
    /** Calls of this pool, on whichever of its endpoints. */
    int inFlight;

    /** Whether a route that the router keeps leads here. */
    boolean kept;

    private final IntFunction<LoadBalancer> newBalancer;
    private LoadBalancer balancer;
    private ProviderEndpoint[] endpoints = {};
    private int[] weights = {};
    private ProviderEndpoint excluded;
    private boolean borrowing;
    private long nowNs;

    EndpointPool(
            String service, String version, String group, IntFunction<LoadBalancer> newBalancer, StandingDelay delay) {
        this.service = service;
        this.version = version;
        this.group = group;
        this.newBalancer = newBalancer;
        this.delay = delay;
        this.balancer = newBalancer.apply(0);
    }

    /** Takes a new list; the balancer keeps what it knows about those that stay. */
    void update(List<ProviderEndpoint> newEndpoints, int[] newWeights) {
        ProviderEndpoint[] changed = newEndpoints.toArray(ProviderEndpoint[]::new);
        int[] previousIndex = new int[changed.length];
        boolean anyStays = false;
        for (int i = 0; i < changed.length; i++) {
            previousIndex[i] = indexOf(changed[i]);
            anyStays |= previousIndex[i] >= 0;
        }
        balancer = anyStays ? balancer.changed(previousIndex) : newBalancer.apply(changed.length);
        leaveTurns();
        endpoints = changed;
        weights = newWeights;
        if (!waiting.isEmpty()) {
            awaitTurns();
        }
    }

    /** Waits for room at its endpoints. */
    void awaitTurns() {
        for (ProviderEndpoint endpoint : endpoints) {
            endpoint.waitingPools().add(this);
        }
    }

    /** Does not wait any more. */
    void leaveTurns() {
        for (ProviderEndpoint endpoint : endpoints) {
            endpoint.waitingPools().remove(this);
        }
    }

    private int indexOf(ProviderEndpoint endpoint) {
        for (int i = 0; i < endpoints.length; i++) {
            if (endpoints[i] == endpoint) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The endpoint for the next call, or null if none has room: first among those within this loop's share of their limit, then, as long
     * as they refuse nothing, beyond it.
     *
     * @param except where the call must not go again; null for none
     */
    ProviderEndpoint pick(ProviderEndpoint except, long nowNs) {
        this.nowNs = nowNs;
        excluded = except;
        borrowing = false;
        int index = balancer.pick(this);
        if (index == LoadBalancer.NONE) {
            borrowing = true;
            index = balancer.pick(this);
        }
        return index == LoadBalancer.NONE ? null : endpoints[index];
    }

    /** Whether a call can wait here: an endpoint with a weight is alive, with room or without. */
    boolean anyAlive() {
        for (int i = 0; i < endpoints.length; i++) {
            if (weights[i] > 0 && endpoints[i].isAlive()) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return endpoints.length == 0;
    }

    @Override
    public int size() {
        return endpoints.length;
    }

    @Override
    public int weight(int index) {
        return weights[index];
    }

    @Override
    public boolean hasRoom(int index) {
        ProviderEndpoint endpoint = endpoints[index];
        return endpoint != excluded && endpoint.hasRoom(borrowing, nowNs);
    }
}
