package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.EndpointPool;
import io.dubbomesh.consumer.upstream.pool.PoolMember;
import io.dubbomesh.protocol.CallException;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The calls of one event loop that wait because every endpoint of their pool is full; each pool has them in the order
 * of their arrival. Bounded in number, in the bytes of their requests, and by pool in the {@linkplain
 * io.dubbomesh.transport.call.StandingDelay time of waiting}. An endpoint that has room again gives it to the pools
 * that wait for it in turn, one call each, so that services share it alike. Owned by the loop.
 *
 * <p>Calls of {@linkplain Route#isUnproven unproven} methods get half of an endpoint's room and half of the {@linkplain
 * QueueRoom room to wait} at most, and wait in queues of their own: until the first is answered it is not known how
 * long the answers are, and hundreds with answers of megabytes would keep all others waiting.
 */
final class CallQueue {
    private final QueueSettings settings;
    private final QueueRoom room;
    private final Turn turn;
    private final RequestWriter requests;
    private final Consumer<UpstreamCall> oneWaySent;
    private final BiConsumer<UpstreamCall, CallException> refused;
    /** The queue of each pool that has ever waited. */
    private final Map<EndpointPool, PoolQueue> queues = new HashMap<>();
    /** The same for calls of unproven methods. */
    private final Map<EndpointPool, PoolQueue> unprovenQueues = new HashMap<>();
    /** The queues with calls that wait; the one whose turn was longest ago is the first. */
    private final Set<PoolQueue> waiting = new LinkedHashSet<>();

    private final EndpointTurns turns = new EndpointTurns();
    /** The endpoints that calls have left in this turn. */
    private final ArrayDeque<ProviderEndpoint> freed = new ArrayDeque<>();

    private final Runnable serveFreed = this::serveFreed;

    /**
     * @param oneWaySent called with each one-way call that has waited and was sent
     * @param refused    called with each call that has waited and cannot be sent, which is to be ended later
     */
    CallQueue(
            QueueSettings settings,
            Turn turn,
            RequestWriter requests,
            Consumer<UpstreamCall> oneWaySent,
            BiConsumer<UpstreamCall, CallException> refused) {
        this.settings = settings;
        room = new QueueRoom(settings);
        this.turn = turn;
        this.requests = requests;
        this.oneWaySent = oneWaySent;
        this.refused = refused;
    }

    int size() {
        return room.calls();
    }

    boolean isEmpty() {
        return room.calls() == 0;
    }

    /**
     * Returns a member with room for a new call of this pool; null if it has to wait. Room that others wait for is
     * theirs first.
     *
     * @param key of the call
     */
    PoolMember pick(EndpointPool pool, Route route, long key, long nowNs) {
        if (isEmpty()) {
            return pickIn(pool, route.isUnproven(), key, nowNs);
        }
        if (!freed.isEmpty()) {
            // Room that has become free in this turn is given to those that wait before this call is judged.
            serveFreed();
        }
        PoolQueue own = queuesFor(route).get(pool);
        if (own != null && !own.isEmpty()) {
            return null;
        }
        PoolMember member = pickIn(pool, route.isUnproven(), key, nowNs);
        if (member == null || turns.size(member.endpoint()) == 0) {
            return member;
        }
        serve(member.endpoint(), nowNs);
        return pickIn(pool, route.isUnproven(), key, nowNs);
    }

    private PoolMember pickIn(EndpointPool pool, boolean unproven, long key, long nowNs) {
        return unproven ? pool.pickForUnproven(key, nowNs) : pool.pick(key, null, nowNs);
    }

    private Map<EndpointPool, PoolQueue> queuesFor(Route route) {
        return route.isUnproven() ? unprovenQueues : queues;
    }

    /** Returns why a call may not wait; null if it may. */
    String refusal(EndpointPool pool, Route route, int requestBytes, long timeLeftNs, long nowNs) {
        if (!room.isLeft(requestBytes)) {
            return "the queue is full";
        }
        if (route.isUnproven() && !room.isLeftForUnproven(requestBytes)) {
            return "half of the queue is taken by calls of such methods";
        }
        if (!turn.memory().hasRoom(Use.CALLS, requestBytes)) {
            return "there is no room for a call that waits (memory.budget)";
        }
        PoolQueue queue = queueOf(pool, route, nowNs);
        return queue.admits(timeLeftNs, nowNs) ? null : "the queue is too long to be served in time";
    }

    private PoolQueue queueOf(EndpointPool pool, Route route, long nowNs) {
        Map<EndpointPool, PoolQueue> alike = queuesFor(route);
        PoolQueue known = alike.get(pool);
        if (known != null) {
            return known;
        }
        alike.values().removeIf(queue -> queue.isEmpty() && queue.pool().isDiscarded());
        PoolQueue queue = new PoolQueue(pool, route.isUnproven(), settings.newDelay(nowNs));
        alike.put(pool, queue);
        return queue;
    }

    /** @param body of its REQUEST; released with the call, or when it is sent */
    void add(UpstreamCall call, ByteBuf body, long nowNs) {
        PoolQueue queue = queueOf(call.pool(), call.route(), nowNs);
        call.waitIn(queue, body);
        queue.add(call);
        room.add(queue.isUnproven(), body.readableBytes());
        turn.memory().add(Use.CALLS, body.readableBytes());
        waiting.add(queue);
        turns.await(queue);
    }

    /** Takes out a call that ends without having been sent, or could not be added. */
    void remove(UpstreamCall call) {
        PoolQueue queue = call.queue();
        if (queue != null && queue.removeAbandoned(call, System.nanoTime())) {
            removed(queue, call);
        }
    }

    private void removed(PoolQueue queue, UpstreamCall call) {
        call.leaveQueue();
        int bytes = call.queuedBody().readableBytes();
        room.remove(queue.isUnproven(), bytes);
        turn.memory().release(Use.CALLS, bytes);
        if (queue.isEmpty()) {
            waiting.remove(queue);
            turns.remove(queue);
        }
    }

    /** Has the endpoint of a call that has ended serve the calls that wait for it, at the end of the turn. */
    void callEnded(ProviderEndpoint endpoint) {
        if (!isEmpty() && freed.peekLast() != endpoint) {
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
     * Sends the first call of a queue that has time left, and whose answer has room. Returns false if no endpoint has
     * room for it, or there is none.
     */
    private boolean sendFirst(PoolQueue queue, long nowNs) {
        UpstreamCall call;
        while ((call = queue.first()) != null) {
            // The sweep of the deadlines ends a call whose time has passed.
            if (call.deadlineNs() - nowNs > 0) {
                // A method that is executed while its calls wait is bounded no longer.
                boolean unproven = queue.isUnproven() && call.route().isUnproven();
                PoolMember member = pickIn(queue.pool(), unproven, call.key(), nowNs);
                if (member == null) {
                    return false;
                }
                // Only now: a call that goes on waiting may find room for its answer later, and takes none meanwhile.
                if (makeRoomForAnswer(call)) {
                    send(queue, call, member, nowNs);
                    return true;
                }
            }
            queue.removeAbandoned(call, nowNs);
            removed(queue, call);
        }
        return false;
    }

    private boolean makeRoomForAnswer(UpstreamCall call) {
        try {
            call.expectAnswer();
            return true;
        } catch (CallException e) {
            refused.accept(call, e);
            return false;
        }
    }

    private void send(PoolQueue queue, UpstreamCall call, PoolMember member, long nowNs) {
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
    }
}
