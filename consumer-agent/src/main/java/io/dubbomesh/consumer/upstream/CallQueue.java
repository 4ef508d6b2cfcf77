package io.dubbomesh.consumer.upstream;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The calls of one event loop that wait because every endpoint of their pool is full; each pool has them in the order
 * of their arrival. Bounded in number, in the bytes of their requests, and by pool in the {@linkplain
 * io.dubbomesh.transport.call.StandingDelay time of waiting}. An endpoint that has room again gives it to the pools
 * that wait for it in turn, one call each, so that services share it alike.
 */
final class CallQueue {
    private final QueueSettings settings;
    private final MemoryBudget memory;
    private final RequestWriter requests;
    private final Consumer<UpstreamCall> oneWaySent;
    /** With calls that wait; the one whose turn was longest ago is the first. */
    private final Set<EndpointPool> pools = new LinkedHashSet<>();

    private int calls;
    private long bytes;

    /** @param oneWaySent is told of each one-way call that has waited and was sent */
    CallQueue(QueueSettings settings, MemoryBudget memory, RequestWriter requests, Consumer<UpstreamCall> oneWaySent) {
        this.settings = settings;
        this.memory = memory;
        this.requests = requests;
        this.oneWaySent = oneWaySent;
    }

    int size() {
        return calls;
    }

    boolean isEmpty() {
        return calls == 0;
    }

    /**
     * A member with room for a new call of this pool; null if it has to wait. Room that others wait for is theirs
     * first.
     */
    PoolMember pick(EndpointPool pool, long nowNs) {
        if (!pool.waiting.isEmpty()) {
            return null;
        }
        PoolMember member = pool.pick(null, nowNs);
        if (member == null || isEmpty() || member.endpoint.waitingPools().isEmpty()) {
            return member;
        }
        serve(member.endpoint, nowNs);
        return pool.pick(null, nowNs);
    }

    /** Why a call may not wait; null if it may. */
    String refusal(EndpointPool pool, int requestBytes, long timeLeftNs, long nowNs) {
        if (calls >= settings.maxCalls() || bytes + requestBytes > settings.maxBytes()) {
            return "the queue is full";
        }
        if (!memory.hasRoom(Use.CALLS, requestBytes)) {
            return "there is no room for a call that waits (memory.budget)";
        }
        return pool.delay.admits(pool.waiting.size(), pool.inFlight, timeLeftNs, nowNs)
                ? null
                : "the queue is too long to be served in time";
    }

    /** @param body of its REQUEST; released with the call, or when it is sent */
    void add(UpstreamCall call, ByteBuf body) {
        EndpointPool pool = call.pool();
        call.queue(body);
        pool.waiting.addLast(call);
        calls++;
        bytes += body.readableBytes();
        memory.add(Use.CALLS, body.readableBytes());
        if (pool.waiting.size() == 1) {
            pools.add(pool);
            pool.awaitTurns();
        }
    }

    /** Takes out a call that ends without having been sent, or could not be added. */
    void remove(UpstreamCall call) {
        EndpointPool pool = call.pool();
        if (pool.waiting.remove(call)) {
            removed(call);
        }
        pool.delay.abandoned(pool.waiting.size(), System.nanoTime());
    }

    private void removed(UpstreamCall call) {
        EndpointPool pool = call.pool();
        calls--;
        bytes -= call.queuedBody().readableBytes();
        memory.release(Use.CALLS, call.queuedBody().readableBytes());
        if (pool.waiting.isEmpty()) {
            pools.remove(pool);
            pool.leaveTurns();
        }
    }

    /** Sends calls that wait for an endpoint, one of each pool in turn, as long as it has room. */
    void serve(ProviderEndpoint endpoint, long nowNs) {
        WaitingPools waiting = endpoint.waitingPools();
        int turns = waiting.size();
        while (turns > 0 && endpoint.hasRoom(true, nowNs)) {
            boolean sent = sendFirst(waiting.next(), nowNs);
            turns = sent ? waiting.size() : Math.min(turns - 1, waiting.size());
        }
    }

    /** Sends calls, one of each pool in turn, as long as any endpoint has room. */
    void serveAll(long nowNs) {
        ArrayDeque<EndpointPool> turns = new ArrayDeque<>(pools);
        EndpointPool pool;
        while ((pool = turns.pollFirst()) != null) {
            if (sendFirst(pool, nowNs)) {
                turns.addLast(pool);
            }
        }
    }

    /** The pools with calls that wait, as they are now. */
    List<EndpointPool> pools() {
        return List.copyOf(pools);
    }

    /** Sends the first call of a pool that has time left; false if no endpoint has room for it, or there is none. */
    private boolean sendFirst(EndpointPool pool, long nowNs) {
        UpstreamCall call;
        while ((call = pool.waiting.peekFirst()) != null && call.deadlineNs() - nowNs <= 0) {
            // The sweep of the deadlines ends it.
            pool.waiting.removeFirst();
            removed(call);
            pool.delay.abandoned(pool.waiting.size(), nowNs);
        }
        PoolMember member = call == null ? null : pool.pick(null, nowNs);
        if (member == null) {
            return false;
        }
        pool.waiting.removeFirst();
        removed(call);
        pool.delay.served(pool.waiting.size(), nowNs);
        if (pools.remove(pool)) {
            pools.add(pool);
        }
        try {
            ByteBuf body = call.queuedBody();
            if (!requests.resend(call, member, body, 0, body.writerIndex(), nowNs)) {
                throw new AssertionError("a body that was measured with its names");
            }
        } catch (MalformedFrameException e) {
            throw new AssertionError("a body that was written here", e);
        } finally {
            call.releaseQueuedBody();
        }
        if (call.isOneWay()) {
            oneWaySent.accept(call);
        }
        return true;
    }
}
