package io.dubbomesh.consumer.server;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;

/**
 * The memory of one event loop for one client, on all its connections: large requests that have not come completely,
 * and answers that the client has not read. A client that holds more than its share takes more only as long as as much
 * room is left for others. Owned by the loop.
 */
final class ClientShare {
    /** The part of the budget that one client may hold in any case. */
    private static final int PART = 8;

    private final MemoryBudget memory;
    private long held;

    ClientShare(MemoryBudget memory) {
        this.memory = memory;
    }

    /** @param bytes negative for what is held no longer */
    void add(long bytes) {
        held += bytes;
        assert held >= 0 : "released twice";
    }

    /**
     * Returns whether so many bytes more of this use are no more than its share; the first are taken as those of a use
     * are.
     */
    boolean mayTake(Use use, long bytes) {
        return held == 0 || held + bytes <= memory.capacity() / PART || memory.hasAmpleRoom(use, bytes);
    }
}
