package io.dubbomesh.consumer.mcp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of tools that are under way and that their clients can cancel by another request, which may come to another
 * event loop. Used by all event loops.
 */
final class CancellableCalls {
    private final Map<Id, Runnable> cancellations = new ConcurrentHashMap<>();

    /**
     * The name of a call.
     *
     * @param session that the client was given: the ids of another client's requests may be the same
     * @param caller  who makes the call, so that no other one can cancel it
     * @param request the id of the request, as it stands in the message
     */
    record Id(String session, String caller, String request) {}

    /** Adds a call, unless the client has another one of this name under way, which stays the one to be cancelled. */
    void add(Id id, Runnable cancellation) {
        cancellations.putIfAbsent(id, cancellation);
    }

    /** Called when a call has ended. */
    void remove(Id id, Runnable cancellation) {
        cancellations.remove(id, cancellation);
    }

    /** Cancels a call, unless it has ended or there was none. */
    void cancel(Id id) {
        Runnable cancellation = cancellations.remove(id);
        if (cancellation != null) {
            cancellation.run();
        }
    }

    int size() {
        return cancellations.size();
    }
}
