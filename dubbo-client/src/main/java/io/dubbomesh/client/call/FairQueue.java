package io.dubbomesh.client.call;

import io.dubbomesh.client.call.PeerQueue.Waiter;

import java.util.ArrayDeque;

/**
 * The calls that wait for a permit: a queue for each consumer agent, served in turn, one call each, so that an agent's
 * share does not grow with the calls that it sends. That and the place that a full queue takes from the longest of them
 * follow FQ-CoDel (RFC 8290), with calls of equal size. Not thread-safe.
 */
final class FairQueue {
    private final ArrayDeque<PeerQueue> turns = new ArrayDeque<>();
    private int size;
    private int peers;

    int size() {
        return size;
    }

    void add(PeerQueue queue, Waiter waiter) {
        if (!queue.hasTurn) {
            turns.addLast(queue);
            queue.hasTurn = true;
        }
        if (queue.isEmpty()) {
            peers++;
        }
        queue.add(waiter);
        size++;
    }

    /** Returns the first call of the peer whose turn it is; null if none waits. */
    Waiter poll(long nowNs) {
        PeerQueue queue;
        while ((queue = turns.pollFirst()) != null) {
            queue.hasTurn = false;
            if (queue.isEmpty()) {
                continue;
            }
            Waiter waiter = queue.poll(nowNs);
            if (queue.isEmpty()) {
                peers--;
            } else {
                turns.addLast(queue);
                queue.hasTurn = true;
            }
            size--;
            return waiter;
        }
        return null;
    }

    /** Returns false if it does not wait. */
    boolean remove(Waiter waiter, long nowNs) {
        PeerQueue queue = waiter.queue();
        if (queue == null) {
            return false;
        }
        queue.remove(waiter, nowNs);
        if (queue.isEmpty()) {
            peers--;
        }
        size--;
        return true;
    }

    /** Returns the number of peers with waiting calls. */
    int peers() {
        return peers;
    }

    /** Returns the peer with the most calls; null if none waits. */
    PeerQueue longest() {
        PeerQueue longest = null;
        for (PeerQueue queue : turns) {
            if (!queue.isEmpty() && (longest == null || queue.size() > longest.size())) {
                longest = queue;
            }
        }
        return longest;
    }
}
