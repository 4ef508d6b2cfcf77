package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.PoolMember;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * The queues that wait for room at each endpoint, in the order of their turns. An endpoint keeps its set for a time
 * when none waits: a queue at the limit begins to wait anew with nearly every call. Owned by one event loop.
 */
final class EndpointTurns {
    private static final int FIRST_SWEEP = 64;

    private final Map<ProviderEndpoint, LinkedHashSet<PoolQueue>> queues = new HashMap<>();
    /** The number of sets at which empty ones are removed: at most twice as many as were needed then. */
    private int sweepAt = FIRST_SWEEP;

    /** Has a queue wait for room at each endpoint of its pool, of which there may be others than before. */
    void await(PoolQueue queue) {
        PoolMember[] now = queue.pool().members();
        if (queue.awaited() == now) {
            return;
        }
        remove(queue);
        queue.await(now);
        for (PoolMember member : now) {
            queues.computeIfAbsent(member.endpoint(), endpoint -> new LinkedHashSet<>())
                    .add(queue);
        }
        if (queues.size() > sweepAt) {
            queues.values().removeIf(LinkedHashSet::isEmpty);
            sweepAt = 2 * queues.size() + FIRST_SWEEP;
        }
    }

    /** Has a queue wait no longer. */
    void remove(PoolQueue queue) {
        for (PoolMember member : queue.awaited()) {
            LinkedHashSet<PoolQueue> turns = queues.get(member.endpoint());
            if (turns != null) {
                turns.remove(queue);
            }
        }
        queue.await(PoolQueue.NONE);
    }

    /** Returns how many queues wait for room at an endpoint. */
    int size(ProviderEndpoint endpoint) {
        LinkedHashSet<PoolQueue> turns = queues.get(endpoint);
        return turns == null ? 0 : turns.size();
    }

    /** Returns the queue whose turn it is at an endpoint; it will be the last one then. There must be one. */
    PoolQueue next(ProviderEndpoint endpoint) {
        LinkedHashSet<PoolQueue> turns = queues.get(endpoint);
        Iterator<PoolQueue> first = turns.iterator();
        PoolQueue queue = first.next();
        first.remove();
        turns.add(queue);
        return queue;
    }
}
