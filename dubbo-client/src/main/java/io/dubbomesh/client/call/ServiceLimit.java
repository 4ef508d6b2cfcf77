package io.dubbomesh.client.call;

import io.dubbomesh.client.call.PeerQueue.Waiter;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The permits of the whole agent for calls in service at the provider, and the queue of the calls that wait for one.
 * Shared by all event loops. Below the limit a call costs one compare-and-set to come and one to go; only calls beyond
 * it take the lock of the queue, which is never held while a waiter is called.
 */
public final class ServiceLimit {
    /** A new duration counts as such a part of the mean, which so follows a change within some dozens of calls. */
    private static final int MEAN_OF = 16;

    private final LimitSettings settings;
    private final AtomicInteger inService = new AtomicInteger();
    /** Null if the limit is a setting. Guarded by this. */
    private final LearntLimit learnt;
    /** Guarded by this. */
    private final FairQueue queue = new FairQueue();
    /** The queues of the consumer agents that have links and an id. Guarded by this. */
    private final Map<Long, PeerQueue> queues = new HashMap<>();
    /** Guarded by this. */
    private final LostCalls lost;

    /** The recent mean of what calls have taken. What event loops add at once may be lost. */
    private final AtomicLong callNs = new AtomicLong();

    private volatile int limit;
    /** The size of the queue, for those without the lock. */
    private volatile int waiting;
    /** Whether the last permit was taken since that was last looked at; for a limit that is learnt. */
    private volatile boolean reached;

    public ServiceLimit(LimitSettings settings) {
        this.settings = settings;
        learnt = settings.isLearnt() ? new LearntLimit(settings.min(), settings.calls(), System.nanoTime()) : null;
        limit = learnt == null ? settings.calls() : learnt.limit();
        lost = new LostCalls();
    }

    public int inService() {
        return inService.get();
    }

    public int waiting() {
        return waiting;
    }

    /** Returns what a call takes now, from its arrival to the provider's answer; 0 if none was answered. */
    public long callNs() {
        return callNs.getOpaque();
    }

    /** Called when the provider has answered a call, with a result, so long after it came. */
    void answeredAfter(long durationNs) {
        long mean = callNs.getOpaque();
        callNs.setOpaque(mean == 0 ? durationNs : mean + (durationNs - mean) / MEAN_OF);
    }

    public boolean isLearnt() {
        return learnt != null;
    }

    /** Returns the highest that the limit can be. */
    public int max() {
        return settings.calls();
    }

    /** Returns the limit that consumer agents are told. */
    public int advertised() {
        if (learnt == null) {
            return limit;
        }
        synchronized (this) {
            return learnt.settled();
        }
    }

    /** Returns the calls that the provider is known to execute at once; 0 while that is being learnt. */
    public int known() {
        if (learnt == null) {
            return limit;
        }
        synchronized (this) {
            return learnt.isFound() ? learnt.settled() : 0;
        }
    }

    // --- the queues of the peers ---

    /**
     * Returns the queue of a consumer agent, for one more of its links.
     *
     * @param agentId the same for all links of one agent; 0 if unknown: then the link has a queue of its own
     */
    public synchronized PeerQueue queue(long agentId) {
        PeerQueue of = agentId == 0 ? newQueue() : queues.computeIfAbsent(agentId, id -> newQueue());
        of.linkOpened();
        return of;
    }

    /** Called when a link of the agent is closed. */
    public synchronized void linkClosed(long agentId, PeerQueue of) {
        if (of.linkClosed() && agentId != 0) {
            queues.remove(agentId);
        }
    }

    private PeerQueue newQueue() {
        return new PeerQueue(settings.newDelay(System.nanoTime()));
    }

    // --- permits ---

    /** Takes a permit, unless none is free or a call waits for one. */
    boolean tryAcquire() {
        return waiting == 0 && tryTakePermit();
    }

    /** Returns whether a call that finds no permit may wait for one; if not it should be refused at once. */
    synchronized boolean admits(PeerQueue of, long timeLeftNs, long nowNs) {
        return hasPlace(of) && of.admits(share(), timeLeftNs, nowNs);
    }

    /**
     * Returns the permits of each peer with waiting calls: at least one, since with more peers than permits they take
     * turns.
     */
    private int share() {
        return Math.max(1, limit / Math.max(1, queue.peers()));
    }

    /** Returns whether there is a place in the queue, or one to be taken from a peer that has more of them. */
    private boolean hasPlace(PeerQueue of) {
        if (queue.size() < settings.queue()) {
            return true;
        }
        PeerQueue longest = queue.longest();
        return longest != null && longest.size() > of.size() + 1;
    }

    /** Waits in the queue; {@code granted} may be called before this returns. False if the queue is full. */
    boolean tryWait(PeerQueue of, Waiter waiter, long nowNs) {
        Waiter evicted = null;
        synchronized (this) {
            if (!hasPlace(of)) {
                return false;
            }
            queue.add(of, waiter);
            if (queue.size() > settings.queue()) {
                evicted = queue.longest().last();
                queue.remove(evicted, nowNs);
            }
            waiting = queue.size();
        }
        if (evicted != null) {
            evicted.evicted();
        }
        // A permit that was released before the waiter was in the queue was not granted to it.
        serveQueue();
        return true;
    }

    /**
     * Leaves the queue. False if the waiter has left it already: then {@link Waiter#granted} or {@link Waiter#evicted}
     * was called or is about to be.
     */
    synchronized boolean remove(Waiter waiter) {
        boolean left = queue.remove(waiter, System.nanoTime());
        waiting = queue.size();
        return left;
    }

    /** Gives a permit back; the next one in the queue gets it, on whichever loop it waits. */
    void release() {
        int left = inService.decrementAndGet();
        assert left >= 0 : "a permit was released twice";
        serveQueue();
    }

    private void serveQueue() {
        // The queue is looked at again after each permit that was put back: a call may have come in between.
        while (waiting != 0 && tryTakePermit()) {
            Waiter first = poll(System.nanoTime());
            if (first == null) {
                inService.decrementAndGet();
            } else {
                first.granted();
            }
        }
    }

    private synchronized Waiter poll(long nowNs) {
        Waiter first = queue.poll(nowNs);
        waiting = queue.size();
        return first;
    }

    private boolean tryTakePermit() {
        int taken = inService.get();
        while (taken < limit) {
            if (inService.compareAndSet(taken, taken + 1)) {
                if (learnt != null && taken + 1 >= limit) {
                    reached = true;
                }
                return true;
            }
            taken = inService.get();
        }
        return false;
    }

    // --- what is learnt from the provider's answers ---

    /** Returns the time since which calls have been sent under the limit in force; for a learnt limit. */
    synchronized long inForceSinceNs() {
        return learnt.inForceSinceNs();
    }

    /**
     * Takes the latencies of calls that were sent since {@code sinceNs}; for a limit that is learnt. They are dropped
     * if the limit has changed since. Returns since when the limit now in force is.
     */
    long learn(int calls, long sumNs, long sinceNs, long nowNs) {
        long inForceSinceNs;
        synchronized (this) {
            if (reached) {
                reached = false;
                learnt.reached();
            }
            learnt.answered(calls, sumNs, sinceNs, nowNs);
            limit = learnt.limit();
            inForceSinceNs = learnt.inForceSinceNs();
        }
        serveQueue();
        return inForceSinceNs;
    }

    /** Called when the provider has refused a call, which still has its permit, since all its threads are busy. */
    synchronized void poolExhausted(long nowNs) {
        lost.poolExhausted(nowNs);
        if (learnt != null) {
            learnt.refused(inService.get(), nowNs);
            limit = learnt.limit();
        }
    }

    /** Returns whether the permit of a call that the provider should have answered long ago may be given back now. */
    synchronized boolean mayForget(long nowNs) {
        return lost.mayForget(limit, nowNs);
    }

    /** Called when the provider has answered a call whose permit was given back. */
    synchronized void answeredAfterAll(long nowNs) {
        lost.answeredAfterAll(nowNs);
    }
}
