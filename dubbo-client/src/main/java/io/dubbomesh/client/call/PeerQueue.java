package io.dubbomesh.client.call;

import io.dubbomesh.transport.call.StandingDelay;

/**
 * The calls of one consumer agent that wait for a permit, in the order in which they came. Made by
 * {@link ServiceLimit#queue}, whose lock guards it.
 */
public final class PeerQueue {
    private final StandingDelay delay;
    /** Links of the consumer agent that use this queue. */
    private int links;
    /** Whether its turn stands in a {@link FairQueue}; it may do so for a while after the last call has left. */
    boolean hasTurn;

    private Waiter first;
    private Waiter last;
    private int size;

    PeerQueue(StandingDelay delay) {
        this.delay = delay;
    }

    /** A call in the queue, or one that may come into it. */
    abstract static class Waiter {
        private PeerQueue queue;
        private Waiter previous;
        private Waiter next;

        /**
         * Called when the waiter has a permit now, to be given back by {@link ServiceLimit#release}. Called on the
         * thread that released the permit, which is that of any loop; does not throw.
         */
        abstract void granted();

        /**
         * Called when the queue is full, and the waiter's place in it was given to a peer with fewer calls. Called on
         * any thread; does not throw.
         */
        abstract void evicted();

        /** Returns null while it does not wait. */
        PeerQueue queue() {
            return queue;
        }
    }

    void linkOpened() {
        links++;
    }

    /** Returns whether this was the last one. */
    boolean linkClosed() {
        links--;
        return links == 0;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    Waiter last() {
        return last;
    }

    /**
     * Returns whether a call that came now would get its permit in time, and the queue does not stand.
     *
     * @param inService calls that may be in service for this peer
     */
    boolean admits(int inService, long timeLeftNs, long nowNs) {
        return delay.admits(size, inService, timeLeftNs, nowNs);
    }

    void add(Waiter waiter) {
        assert waiter.queue == null : "waits already";
        waiter.queue = this;
        waiter.previous = last;
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        size++;
    }

    /** Returns the first one, which gets a permit; there must be one. */
    Waiter poll(long nowNs) {
        Waiter waiter = first;
        unlink(waiter);
        delay.served(size, nowNs);
        return waiter;
    }

    /** Takes one out that gets no permit. */
    void remove(Waiter waiter, long nowNs) {
        unlink(waiter);
        delay.abandoned(size, nowNs);
    }

    private void unlink(Waiter waiter) {
        assert waiter.queue == this;
        if (waiter.previous == null) {
            first = waiter.next;
        } else {
            waiter.previous.next = waiter.next;
        }
        if (waiter.next == null) {
            last = waiter.previous;
        } else {
            waiter.next.previous = waiter.previous;
        }
        waiter.queue = null;
        waiter.previous = null;
        waiter.next = null;
        size--;
    }
}
