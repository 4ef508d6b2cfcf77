package io.dubbomesh.client.connection;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;

import java.util.concurrent.TimeUnit;

/**
 * When a provider's answers are left with the provider since those that were read wait for peers: from half of the memory budget on, as long as the
 * peers take some, and for {@link #LONGEST_NS} at most. After that the answers that do not fit are dropped, so that a peer which does not read does
 * not hold up the others. One wait leads to one pause. Owned by the connection's event loop.
 */
final class AnswerPause {
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(1);
    /** A peer that reads takes something within it; a consumer agent whose own clients read slowly does so with breaks. */
    static final long LONGEST_STALL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** The part of the budget that must be taken meanwhile: of 10 MiB, 0.16 MB a second. */
    private static final int PARTS = 256;

    private final MemoryBudget memory;
    /** Whether answers waited when last looked at. */
    private boolean waiting;

    private long beganNs;
    private long progressNs;
    private long leftAtProgress;

    AnswerPause(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Whether reading has to pause now. */
    boolean isDue() {
        boolean alreadyWaiting = waiting;
        waiting = answersWait();
        return waiting && !alreadyWaiting;
    }

    void begin(long nowNs) {
        beganNs = nowNs;
        progressNs = nowNs;
        leftAtProgress = memory.used(Use.ANSWERS);
    }

    /** Whether a pause that has begun is over. */
    boolean isOver(long nowNs) {
        waiting = answersWait();
        long left = memory.used(Use.ANSWERS);
        if (leftAtProgress - left >= memory.capacity() / PARTS) {
            leftAtProgress = left;
            progressNs = nowNs;
        }
        return !waiting || nowNs - beganNs > LONGEST_NS || nowNs - progressNs > LONGEST_STALL_NS;
    }

    private boolean answersWait() {
        return memory.used(Use.ANSWERS) > memory.capacity() / 2;
    }
}
