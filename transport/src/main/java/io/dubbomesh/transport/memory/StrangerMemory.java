package io.dubbomesh.transport.memory;

import io.dubbomesh.transport.memory.MemoryBudget.Use;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory of one event loop for the incomplete input of strangers: peers that have neither been authenticated nor
 * sent one request that was admitted. It may be a quarter of the budget. Beyond that the stranger that has kept
 * something for the longest time is dropped: one that completes what it sends is soon no stranger any more, so those
 * that only begin take room from each other. Owned by the loop.
 */
public final class StrangerMemory {
    private static final int PART = 4;

    /** A stranger that keeps something. */
    @FunctionalInterface
    public interface Stranger {
        /**
         * Called when there is no room for it any more, on the event loop, once. It is to end its connection. It is to
         * end its connection.
         */
        void drop();
    }

    private final MemoryBudget budget;
    private final long max;
    /** The strangers in the order in which they began to keep something. */
    private final Map<Stranger, Integer> kept = new LinkedHashMap<>();

    StrangerMemory(MemoryBudget budget) {
        this.budget = budget;
        max = budget.capacity() / PART;
    }

    /**
     * Counts what a stranger keeps from now on, and drops others if that is too much.
     *
     * @param bytes in all; 0 where it keeps nothing, or is no stranger any more
     */
    public void keep(Stranger stranger, int bytes) {
        Integer before = bytes == 0 ? kept.remove(stranger) : kept.put(stranger, bytes);
        budget.add(Use.STRANGERS, bytes - (before == null ? 0 : before));
        while (budget.used(Use.STRANGERS) > max && kept.size() > 1) {
            dropOldestBut(stranger);
        }
    }

    private void dropOldestBut(Stranger newest) {
        Iterator<Map.Entry<Stranger, Integer>> all = kept.entrySet().iterator();
        Map.Entry<Stranger, Integer> oldest = all.next();
        if (oldest.getKey() == newest) {
            oldest = all.next();
        }
        Stranger dropped = oldest.getKey();
        budget.release(Use.STRANGERS, oldest.getValue());
        all.remove();
        dropped.drop();
    }

    /** Returns how many keep something. */
    public int count() {
        return kept.size();
    }
}
