package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.EndpointPool;
import io.dubbomesh.consumer.upstream.pool.PoolMember;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;

/** The queues that wait for room at each endpoint, in the order of their turns. Owned by one event loop. */
final class EndpointTurns {
    private final Map<ProviderEndpoint, LinkedHashSet<PoolQueue>> queues = new HashMap<>();
    /** The members of each pool that waits, as they were when it began to wait for them. */
    private final Map<EndpointPool, PoolMember[]> members = new HashMap<>();

    /** Has a queue wait for room at each endpoint of its pool, of which there may be others than before. */
    void await(PoolQueue queue) {
        PoolMember[] now = queue.pool().members();
        PoolMember[] before = members.put(queue.pool(), now);
        if (before == now) {
            return;
        }
        if (before != null) {
            remove(queue, before);
        }
        for (PoolMember member : now) {
            queues.computeIfAbsent(member.endpoint(), endpoint -> new LinkedHashSet<>())
                    .add(queue);
        }
    }

    /** Has a queue wait no longer. */
    void leave(PoolQueue queue) {
        PoolMember[] before = members.remove(queue.pool());
        if (before != null) {
            remove(queue, before);
        }
    }

    private void remove(PoolQueue queue, PoolMember[] from) {
        for (PoolMember member : from) {
            LinkedHashSet<PoolQueue> turns = queues.get(member.endpoint());
            if (turns != null && turns.remove(queue) && turns.isEmpty()) {
                queues.remove(member.endpoint());
            }
        }
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
