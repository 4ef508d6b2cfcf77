package io.dubbomesh.benchmark.stub;

import io.netty.channel.EventLoop;

import java.util.concurrent.TimeUnit;

/**
 * Answers calls at once, or each after the same delay and therefore in the order of their arrival: a ring of calls and one timer for the
 * first of them. Owned by one event loop, which serves all connections.
 */
final class StubService implements Runnable {
    /** A power of two. */
    private static final int SLOTS = 1 << 17;

    private final EventLoop loop;
    private final long delayNs;
    private final int limit;
    private long answered;
    private long refused;
    private long latestNs;

    private final long[] dueNs = new long[SLOTS];
    private final long[] requestIds = new long[SLOTS];
    private final int[] hashes = new int[SLOTS];
    private final StubConnection[] callers = new StubConnection[SLOTS];
    private int head;
    private int inService;

    StubService(EventLoop loop, StubSettings settings) {
        this.loop = loop;
        delayNs = settings.delayNs();
        limit = Math.min(settings.limit(), SLOTS);
    }

    void call(StubConnection caller, long requestId, int hash) {
        assert loop.inEventLoop();
        if (delayNs == 0) {
            answered++;
            caller.answer(requestId, hash);
        } else if (inService >= limit) {
            refused++;
            caller.refuse(requestId);
        } else {
            int tail = head + inService & SLOTS - 1;
            dueNs[tail] = System.nanoTime() + delayNs;
            requestIds[tail] = requestId;
            hashes[tail] = hash;
            callers[tail] = caller;
            if (++inService == 1) {
                loop.schedule(this, delayNs, TimeUnit.NANOSECONDS);
            }
        }
    }

    /** Answers the calls that are due. */
    @Override
    public void run() {
        long nowNs = System.nanoTime();
        while (inService > 0 && dueNs[head] - nowNs <= 0) {
            latestNs = Math.max(latestNs, nowNs - dueNs[head]);
            answered++;
            callers[head].answer(requestIds[head], hashes[head]);
            callers[head] = null;
            head = head + 1 & SLOTS - 1;
            inService--;
        }
        if (inService > 0) {
            loop.schedule(this, dueNs[head] - nowNs, TimeUnit.NANOSECONDS);
        }
    }

    /** Called on the loop. */
    String report() {
        String lateness = delayNs == 0 ? "" : ", late by at most %.3f ms".formatted(latestNs / 1e6);
        return "answered " + answered + " calls, refused " + refused + lateness;
    }
}
