package io.dubbomesh.benchmark.stub;

import io.netty.channel.EventLoop;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Answers calls at once, or each after the same delay and in the order of their arrival: a ring of calls and one timer
 * for the first of them. Owned by one event loop, which serves all connections.
 */
final class StubService implements Runnable {
    /** A power of two. */
    private static final int SLOTS = 1 << 17;

    private final EventLoop loop;
    private final CallsFile calls;
    private final Set<StubCaller> connections = new LinkedHashSet<>();
    private StubBehaviour behaviour;
    private long answered;
    private long refused;
    private long failed;
    private long swallowed;
    private long latestNs;

    private final long[] dueNs = new long[SLOTS];
    private final long[] requestIds = new long[SLOTS];
    private final int[] hashes = new int[SLOTS];
    private final StubCaller[] callers = new StubCaller[SLOTS];
    private int head;
    private int inService;
    private boolean scheduled;

    /** @param calls null for none */
    StubService(EventLoop loop, StubBehaviour behaviour, CallsFile calls) {
        this.loop = loop;
        this.behaviour = behaviour;
        this.calls = calls;
    }

    StubBehaviour behaviour() {
        return behaviour;
    }

    /** Calls that have a time of their answer keep it. */
    void change(StubBehaviour other) {
        assert loop.inEventLoop();
        behaviour = other;
        connections.forEach(StubCaller::readIfPossible);
        run();
    }

    void opened(StubCaller connection) {
        connections.add(connection);
        connection.readIfPossible();
    }

    void closed(StubCaller connection) {
        connections.remove(connection);
    }

    void call(StubCaller caller, long requestId, int hash) {
        assert loop.inEventLoop();
        if (behaviour.refuse() || inService >= Math.min(behaviour.limit(), SLOTS)) {
            refused++;
            caller.refuse(requestId);
            return;
        }
        if (behaviour.fail()) {
            failed++;
            caller.fail(requestId);
            return;
        }
        if (calls != null) {
            calls.add(hash);
        }
        if (behaviour.swallow() > 0) {
            swallowed++;
            behaviour = behaviour.withSwallow(behaviour.swallow() - 1);
        } else if (behaviour.delayNs() == 0 && inService == 0 && !behaviour.frozen()) {
            answered++;
            caller.answer(requestId, hash, behaviour.answerLength());
        } else {
            int tail = head + inService & SLOTS - 1;
            dueNs[tail] = nextDueNs();
            requestIds[tail] = requestId;
            hashes[tail] = hash;
            callers[tail] = caller;
            inService++;
            schedule();
        }
    }

    /** A call begins when the one that is {@code threads} places ahead has ended, and none overtakes another. */
    private long nextDueNs() {
        long nowNs = System.nanoTime();
        long due = nowNs + behaviour.delayNs();
        if (inService >= behaviour.threads()) {
            long freeNs = dueNs[head + inService - behaviour.threads() & SLOTS - 1];
            due += Math.max(0, freeNs - nowNs);
        }
        if (inService > 0) {
            long lastNs = dueNs[head + inService - 1 & SLOTS - 1];
            due += Math.max(0, lastNs - due);
        }
        return due;
    }

    /** Answers the calls that are due. */
    @Override
    public void run() {
        long nowNs = System.nanoTime();
        while (inService > 0 && dueNs[head] - nowNs <= 0 && !behaviour.frozen()) {
            latestNs = Math.max(latestNs, nowNs - dueNs[head]);
            answered++;
            callers[head].answer(requestIds[head], hashes[head], behaviour.answerLength());
            callers[head] = null;
            head = head + 1 & SLOTS - 1;
            inService--;
        }
        schedule();
    }

    private void schedule() {
        if (inService > 0 && !scheduled && !behaviour.frozen()) {
            scheduled = true;
            loop.schedule(this::timeOut, dueNs[head] - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    private void timeOut() {
        scheduled = false;
        run();
    }

    /** Called on the loop. */
    String report() {
        String failing = failed == 0 ? "" : ", failed " + failed;
        String swallowing = swallowed == 0 ? "" : ", swallowed " + swallowed;
        String lateness = latestNs == 0 ? "" : ", late by at most %.3f ms".formatted(latestNs / 1e6);
        return "answered " + answered + " calls, refused " + refused + failing + swallowing + lateness;
    }
}
