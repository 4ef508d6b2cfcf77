package io.dubbomesh.provider;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many calls of the whole process are in service at the provider, and the line of those that wait for a place. Shared by all event
 * loops; never blocks. Below the limit a call costs one compare-and-set to come and one to go; only calls beyond it touch the line.
 */
final class ServiceLimit {
    /** A call in the line. */
    interface Waiter {
        /**
         * A place has become free and is the waiter's: it ends with {@link ServiceLimit#release}. Called on the thread that made the
         * place free, which is any loop's; does not throw.
         */
        void granted();
    }

    private final int limit;
    private final int maxWaiting;
    private final AtomicInteger inService = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Queue<Waiter> line = new ConcurrentLinkedQueue<>();

    ServiceLimit(int limit, int maxWaiting) {
        this.limit = limit;
        this.maxWaiting = maxWaiting;
    }

    int inService() {
        return inService.get();
    }

    int waiting() {
        return waiting.get();
    }

    /** Takes a place, unless none is free or somebody came before and still waits. */
    boolean tryAcquire() {
        return line.isEmpty() && tryTakePlace();
    }

    /** Whether there is neither a free place nor room in the line. */
    boolean isFull() {
        return waiting.get() >= maxWaiting && (inService.get() >= limit || !line.isEmpty());
    }

    /** Stands in line; {@code granted} may be called before this returns. False if the line is as long as it may be. */
    boolean tryWait(Waiter waiter) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        boolean added = false;
        try {
            line.add(waiter);
            added = true;
        } finally {
            if (!added) {
                waiting.decrementAndGet();
            }
        }
        // A place that became free before the waiter stood in line woke nobody.
        serveLine();
        return true;
    }

    /** Leaves the line. False if a place was granted already: then {@code granted} was called or is about to be. */
    boolean leave(Waiter waiter) {
        if (!line.remove(waiter)) {
            return false;
        }
        waiting.decrementAndGet();
        return true;
    }

    /** Gives a place back; the first of the line, on whatever loop, has it then. */
    void release() {
        int left = inService.decrementAndGet();
        assert left >= 0 : "a place given back twice";
        serveLine();
    }

    private void serveLine() {
        // The line is looked at again after each place that was put back: somebody may have come in between.
        while (!line.isEmpty() && tryTakePlace()) {
            Waiter first = line.poll();
            if (first == null) {
                inService.decrementAndGet();
            } else {
                waiting.decrementAndGet();
                first.granted();
            }
        }
    }

    private boolean tryTakePlace() {
        int taken = inService.get();
        while (taken < limit) {
            if (inService.compareAndSet(taken, taken + 1)) {
                return true;
            }
            taken = inService.get();
        }
        return false;
    }
}
