package io.dubbomesh.benchmark.stub;

import io.netty.channel.EventLoop;
import org.HdrHistogram.Histogram;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Answers calls at once, or each after the same delay and therefore in the order in which they came: a ring and one timer for its head.
 * Owned by one event loop, which serves all connections.
 */
final class StubService implements Runnable {
    private static final int INITIAL_CAPACITY = 1024;
    private static final long LONGEST_LATENESS_NS = TimeUnit.HOURS.toNanos(1);

    private final EventLoop loop;
    private final long delayNs;
    private final int limit;
    private final Histogram latenessNs = new Histogram(1, LONGEST_LATENESS_NS, 2);
    private long answered;
    private long refused;

    private long[] dueNs = new long[INITIAL_CAPACITY];
    private long[] requestIds = new long[INITIAL_CAPACITY];
    private int[] hashes = new int[INITIAL_CAPACITY];
    private StubConnection[] callers = new StubConnection[INITIAL_CAPACITY];
    private int head;
    private int inService;
    private boolean timerRuns;

    StubService(EventLoop loop, long delayNs, int limit) {
        this.loop = loop;
        this.delayNs = delayNs;
        this.limit = limit;
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
            answerLater(caller, requestId, hash, System.nanoTime());
        }
    }

    private void answerLater(StubConnection caller, long requestId, int hash, long nowNs) {
        if (inService == callers.length) {
            grow();
        }
        int tail = head + inService & callers.length - 1;
        dueNs[tail] = nowNs + delayNs;
        requestIds[tail] = requestId;
        hashes[tail] = hash;
        callers[tail] = caller;
        inService++;
        if (!timerRuns) {
            waitForTheHead(nowNs);
        }
    }

    private void waitForTheHead(long nowNs) {
        timerRuns = true;
        loop.schedule(this, dueNs[head] - nowNs, TimeUnit.NANOSECONDS);
    }

    /** Answers what is due. */
    @Override
    public void run() {
        timerRuns = false;
        long nowNs = System.nanoTime();
        while (inService > 0 && dueNs[head] - nowNs <= 0) {
            latenessNs.recordValue(Math.min(nowNs - dueNs[head], LONGEST_LATENESS_NS));
            answered++;
            callers[head].answer(requestIds[head], hashes[head]);
            callers[head] = null;
            head = head + 1 & callers.length - 1;
            inService--;
        }
        if (inService > 0) {
            waitForTheHead(nowNs);
        }
    }

    /** Doubles the ring and turns it so that its head comes first. */
    private void grow() {
        int capacity = callers.length;
        dueNs = turned(dueNs, Arrays.copyOf(dueNs, 2 * capacity));
        requestIds = turned(requestIds, Arrays.copyOf(requestIds, 2 * capacity));
        hashes = turned(hashes, Arrays.copyOf(hashes, 2 * capacity));
        callers = turned(callers, Arrays.copyOf(callers, 2 * capacity));
        head = 0;
    }

    private <T> T turned(T from, T to) {
        int capacity = callers.length;
        System.arraycopy(from, head, to, 0, capacity - head);
        System.arraycopy(from, 0, to, capacity - head, head);
        return to;
    }

    /** What it did so far, for people. To be called on the loop. */
    String report() {
        String lateness = delayNs == 0
                ? ""
                : ", late by %.3f ms at the median, %.3f at p99, %.3f at most"
                        .formatted(ms(50), ms(99), latenessNs.getMaxValue() / 1e6);
        return "answered " + answered + " calls, refused " + refused + lateness;
    }

    private double ms(double percentile) {
        return latenessNs.getValueAtPercentile(percentile) / 1e6;
    }
}
