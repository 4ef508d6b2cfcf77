package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.pool.EndpointPool;
import io.dubbomesh.consumer.upstream.pool.PoolMember;
import io.dubbomesh.transport.call.StandingDelay;

import java.util.ArrayDeque;

/**
 * The calls of one pool that wait, in the order of their arrival, and how long they may: those whose methods were
 * {@linkplain io.dubbomesh.consumer.call.Route#isUnproven unproven} when they came, or the others. Owned by one event
 * loop.
 */
final class PoolQueue {
    static final PoolMember[] NONE = {};

    private final EndpointPool pool;
    private final boolean unproven;
    private final StandingDelay delay;
    private final ArrayDeque<UpstreamCall> calls = new ArrayDeque<>();
    /** The members of the pool that it waits for. */
    private PoolMember[] awaited = NONE;

    /** @param unproven whether it is for calls of unproven methods */
    PoolQueue(EndpointPool pool, boolean unproven, StandingDelay delay) {
        this.pool = pool;
        this.unproven = unproven;
        this.delay = delay;
    }

    EndpointPool pool() {
        return pool;
    }

    /** Returns whether it is for calls of methods that were unproven when they came. */
    boolean isUnproven() {
        return unproven;
    }

    PoolMember[] awaited() {
        return awaited;
    }

    void await(PoolMember[] members) {
        awaited = members;
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Returns the call that has waited longest; null if there is none. */
    UpstreamCall first() {
        return calls.peekFirst();
    }

    boolean admits(long timeLeftNs, long nowNs) {
        if (!calls.isEmpty() && !pool.anyAlive()) {
            // They wait for a connection: how fast calls were served before says nothing of that.
            return true;
        }
        int inService = unproven ? pool.unprovenInFlight() : pool.inFlight() - pool.unprovenInFlight();
        return delay.admits(calls.size(), inService, timeLeftNs, nowNs);
    }

    void add(UpstreamCall call) {
        calls.addLast(call);
    }

    /** Takes out the first call, which is about to be sent. */
    void removeServed(long nowNs) {
        calls.removeFirst();
        delay.served(calls.size(), nowNs);
    }

    /** Takes out a call that ends without having been sent; returns whether it was there. */
    boolean removeAbandoned(UpstreamCall call, long nowNs) {
        boolean waited = calls.remove(call);
        delay.abandoned(calls.size(), nowNs);
        return waited;
    }
}
