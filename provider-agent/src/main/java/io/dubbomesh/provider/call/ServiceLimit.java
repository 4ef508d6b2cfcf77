package io.dubbomesh.provider.call;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The permits of the whole agent for calls in service at the provider, and the queue of the calls that wait for one. Shared by all event loops;
 * never blocks. Below the limit a call costs one compare-and-set to come and one to go; only calls beyond it touch the queue.
 */
public final class ServiceLimit {
    /** A call in the queue. */
    interface Waiter {
        /**
         * The waiter has a permit now, to be given back by {@link ServiceLimit#release}. Called on the thread that released the permit, which
         * is that of any loop; does not throw.
         */
        void granted();
    }

    private final int limit;
    private final int maxWaiting;
    private final AtomicInteger inService = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Queue<Waiter> queue = new ConcurrentLinkedQueue<>();

    public ServiceLimit(LimitSettings settings) {
        limit = settings.calls();
        maxWaiting = settings.queue();
    }

    public int inService() {
        return inService.get();
    }

    public int waiting() {
        return waiting.get();
    }

    /** Takes a permit, unless none is free or a call waits for one. */
    boolean tryAcquire() {
        return queue.isEmpty() && tryTakePermit();
    }

    /** Whether there is neither a free permit nor room in the queue. */
    boolean isFull() {
        return waiting.get() >= maxWaiting && (inService.get() >= limit || !queue.isEmpty());
    }

    /** Waits in the queue; {@code granted} may be called before this returns. False if the queue is full. */
    boolean tryWait(Waiter waiter) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        boolean added = false;
        try {
            queue.add(waiter);
            added = true;
        } finally {
            if (!added) {
                waiting.decrementAndGet();
            }
        }
        // A permit that was released before the waiter was in the queue was not granted to it.
        serveQueue();
        return true;
    }

    /** Leaves the queue. False if a permit was granted already: then {@link Waiter#granted} was called or is about to be. */
    boolean leave(Waiter waiter) {
        if (!queue.remove(waiter)) {
            return false;
        }
        waiting.decrementAndGet();
        return true;
    }

    /** Gives a permit back; the first of the queue gets it, on whichever loop it waits. */
    void release() {
        int left = inService.decrementAndGet();
        assert left >= 0 : "a permit was released twice";
        serveQueue();
    }

    private void serveQueue() {
        // The queue is looked at again after each permit that was put back: a call may have come in between.
        while (!queue.isEmpty() && tryTakePermit()) {
            Waiter first = queue.poll();
            if (first == null) {
                inService.decrementAndGet();
            } else {
                waiting.decrementAndGet();
                first.granted();
            }
        }
    }

    private boolean tryTakePermit() {
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
