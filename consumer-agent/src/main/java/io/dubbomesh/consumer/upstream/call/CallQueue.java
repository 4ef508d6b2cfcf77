package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.EndpointPool;
import io.dubbomesh.consumer.upstream.pool.PoolMember;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The calls of one event loop that wait because every endpoint of their pool is full; each pool has them in the order
 * of their arrival. Bounded in number, in the bytes of their requests, and by pool in the {@linkplain
 * io.dubbomesh.transport.call.StandingDelay time of waiting}. An endpoint that has room again gives it to the pools
 * that wait for it in turn, one call each, so that services share it alike. Owned by the loop.
 */
final class CallQueue {
    private final QueueSettings settings;
    private final Turn turn;
    private final RequestWriter requests;
    private final Consumer<UpstreamCall> oneWaySent;
    /** The queue of each pool that has ever waited. */
    private final Map<EndpointPool, PoolQueue> queues = new HashMap<>();
    /** The queues with calls that wait; the one whose turn was longest ago is the first. */
    private final Set<PoolQueue> waiting = new LinkedHashSet<>();

    private final EndpointTurns turns = new EndpointTurns();
    /** The endpoints that calls have left in this turn. */
    private final ArrayDeque<ProviderEndpoint> freed = new ArrayDeque<>();

    private final Runnable serveFreed = this::serveFreed;

    private int calls;
    private long bytes;

    /** @param oneWaySent called with each one-way call that has waited and was sent */
    CallQueue(QueueSettings settings, Turn turn, RequestWriter requests, Consumer<UpstreamCall> oneWaySent) {
        this.settings = settings;
        this.turn = turn;
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
     * Returns a member with room for a new call of this pool; null if it has to wait. Room that others wait for is
     * theirs first.
     *
     * @param key of the call
     */
    PoolMember pick(EndpointPool pool, long key, long nowNs) {
        if (calls == 0) {
            return pool.pick(key, null, nowNs);
        }
        if (!freed.isEmpty()) {
            // Room that has become free in this turn is given to those that wait before this call is judged.
            serveFreed();
        }
        PoolQueue own = queues.get(pool);
        if (own != null && !own.isEmpty()) {
            return null;
        }
        PoolMember member = pool.pick(key, null, nowNs);
        if (member == null || turns.size(member.endpoint()) == 0) {
            return member;
        }
        serve(member.endpoint(), nowNs);
        return pool.pick(key, null, nowNs);
    }

    /** Returns why a call may not wait; null if it may. */
    String refusal(EndpointPool pool, int requestBytes, long timeLeftNs, long nowNs) {
        if (calls >= settings.maxCalls() || bytes + requestBytes > settings.maxBytes()) {
            return "the queue is full";
        }
        if (!turn.memory().hasRoom(Use.CALLS, requestBytes)) {
            return "there is no room for a call that waits (memory.budget)";
        }
        return queueOf(pool, nowNs).admits(timeLeftNs, nowNs) ? null : "the queue is too long to be served in time";
    }

    private PoolQueue queueOf(EndpointPool pool, long nowNs) {
        PoolQueue known = queues.get(pool);
        if (known != null) {
            return known;
        }
        queues.values().removeIf(queue -> queue.isEmpty() && queue.pool().isDiscarded());
        PoolQueue queue = new PoolQueue(pool, settings.newDelay(nowNs));
        queues.put(pool, queue);
        return queue;
    }

    /** @param body of its REQUEST; released with the call, or when it is sent */
    void add(UpstreamCall call, ByteBuf body, long nowNs) {
        PoolQueue queue = queueOf(call.pool(), nowNs);
        call.queue(body);
        queue.add(call);
        calls++;
        bytes += body.readableBytes();
        turn.memory().add(Use.CALLS, body.readableBytes());
        waiting.add(queue);
        turns.await(queue);
    }

    /** Takes out a call that ends without having been sent, or could not be added. */
    void remove(UpstreamCall call) {
        PoolQueue queue = queues.get(call.pool());
        if (queue != null && queue.removeAbandoned(call, System.nanoTime())) {
            removed(queue, call);
        }
    }

    private void removed(PoolQueue queue, UpstreamCall call) {
        calls--;
        bytes -= call.queuedBody().readableBytes();
        turn.memory().release(Use.CALLS, call.queuedBody().readableBytes());
        if (queue.isEmpty()) {
            waiting.remove(queue);
            turns.remove(queue);
        }
    }

    /** Has the endpoint of a call that has ended serve the calls that wait for it, at the end of the turn. */
    void callEnded(ProviderEndpoint endpoint) {
        if (calls > 0 && freed.peekLast() != endpoint) {
            if (freed.isEmpty()) {
                turn.ready(serveFreed);
            }
            freed.addLast(endpoint);
        }
    }

    private void serveFreed() {
        long nowNs = System.nanoTime();
        // A pool may have other members than when it began to wait.
        waiting.forEach(turns::await);
        try {
            ProviderEndpoint endpoint;
            while ((endpoint = freed.pollFirst()) != null) {
                serve(endpoint, nowNs);
            }
        } finally {
            if (!freed.isEmpty()) {
                turn.ready(serveFreed);
            }
        }
    }

    /** Sends calls that wait for an endpoint, one of each pool in turn, as long as it has room. */
    private void serve(ProviderEndpoint endpoint, long nowNs) {
        int left = turns.size(endpoint);
        while (left > 0 && endpoint.hasRoom(true, nowNs)) {
            boolean sent = sendFirst(turns.next(endpoint), nowNs);
            left = sent ? turns.size(endpoint) : Math.min(left - 1, turns.size(endpoint));
        }
    }

    /** Sends calls, one of each pool in turn, as long as any endpoint has room. */
    void serveAll(long nowNs) {
        waiting.forEach(turns::await);
        ArrayDeque<PoolQueue> left = new ArrayDeque<>(waiting);
        PoolQueue queue;
        while ((queue = left.pollFirst()) != null) {
            if (sendFirst(queue, nowNs)) {
                left.addLast(queue);
            }
        }
    }

    /** Returns the queues with calls that wait, as they are now. */
    List<PoolQueue> waiting() {
        return List.copyOf(waiting);
    }

    /**
     * Sends the first call of a queue that has time left. Returns false if no endpoint has room for it, or there is
     * none.
     */
    private boolean sendFirst(PoolQueue queue, long nowNs) {
        UpstreamCall call;
        while ((call = queue.first()) != null && call.deadlineNs() - nowNs <= 0) {
            // The sweep of the deadlines ends it.
            queue.removeAbandoned(call, nowNs);
            removed(queue, call);
        }
        PoolMember member = call == null ? null : queue.pool().pick(call.key(), null, nowNs);
        if (member == null) {
            return false;
        }
        queue.removeServed(nowNs);
        removed(queue, call);
        if (waiting.remove(queue)) {
            waiting.add(queue);
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
