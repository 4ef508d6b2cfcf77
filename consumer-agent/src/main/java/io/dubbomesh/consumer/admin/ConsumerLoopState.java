package io.dubbomesh.consumer.admin;

import io.dubbomesh.consumer.caller.CallingApp;
import io.dubbomesh.consumer.upstream.call.UpstreamState;

import java.util.List;

/**
 * The state of one event loop at one moment; immutable.
 *
 * @param connections     of clients
 * @param maxConnections  beyond which clients are refused
 * @param refusedCallers  requests that were refused because of who sent them
 * @param memoryHeldBytes for slow peers, see the setting {@code memory.budget}
 */
public record ConsumerLoopState(
        UpstreamState upstream,
        List<CallingApp.Count> callers,
        int connections,
        int maxConnections,
        long refusedCallers,
        long memoryHeldBytes,
        long memoryBudgetBytes) {}
