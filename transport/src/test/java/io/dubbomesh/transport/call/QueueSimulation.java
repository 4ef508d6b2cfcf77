package io.dubbomesh.transport.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Calls that arrive at fixed rates at 20 threads with a queue in front of them, in virtual time. */
final class QueueSimulation {
    private static final int THREADS = 20;
    private static final long SERVICE_NS = 50_000_000;
    private static final long DEADLINE_NS = 5_000_000_000L;
    private static final long START = 1_000_000_000_000L;

    /** When calls arrive, and how long each is in service. */
    enum Pattern {
        /** At equal distances; all for the same time. */
        EVEN,
        /** At random (a Poisson process); all for the same time. */
        RANDOM_ARRIVALS,
        /** Both at random, the time in service exponentially. */
        RANDOM_SERVICE
    }

    private final StandingDelay delay;
    private final Pattern pattern;
    private final SplittableRandom random = new SplittableRandom(13);
    private final ArrayDeque<Long> arrivals = new ArrayDeque<>();
    private final PriorityQueue<Long> ends = new PriorityQueue<>();
    private long nowNs = START;
    private long figuresSinceNs = START;
    private final ArrayList<Long> waitsNs = new ArrayList<>();
    private int refused;

    QueueSimulation(StandingDelay delay, Pattern pattern) {
        this.delay = delay;
        this.pattern = pattern;
    }

    /** Calls arrive at this rate for so long. */
    void offer(double perSecond, long ms) {
        long endNs = nowNs + ms * 1_000_000;
        double gapNs = 1e9 / perSecond;
        double arrivalNs = nowNs + gapNs / 2;
        while (arrivalNs < endNs) {
            runUntil((long) arrivalNs);
            arrive();
            arrivalNs += pattern == Pattern.EVEN ? gapNs : exponential(gapNs);
        }
        runUntil(endNs);
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    private void runUntil(long timeNs) {
        while (!ends.isEmpty() && ends.peek() <= timeNs) {
            nowNs = ends.poll();
            if (!arrivals.isEmpty()) {
                long arrivedNs = arrivals.pollFirst();
                delay.served(arrivals.size(), nowNs);
                serve(arrivedNs);
            }
        }
        nowNs = timeNs;
    }

    private void arrive() {
        if (ends.size() < THREADS) {
            serve(nowNs);
        } else if (delay.admits(arrivals.size(), THREADS, DEADLINE_NS, nowNs)) {
            arrivals.addLast(nowNs);
        } else {
            refused++;
        }
    }

    private void serve(long arrivedNs) {
        waitsNs.add(nowNs - arrivedNs);
        ends.add(nowNs + (pattern == Pattern.RANDOM_SERVICE ? (long) exponential(SERVICE_NS) : SERVICE_NS));
    }

    void forgetFigures() {
        waitsNs.clear();
        refused = 0;
        figuresSinceNs = nowNs;
    }

    int refused() {
        return refused;
    }

    double servedPerSecond() {
        return waitsNs.size() * 1e9 / (nowNs - figuresSinceNs);
    }

    /** The wait that this share of the served calls did not exceed. */
    double waitMs(double quantile) {
        long[] sorted = waitsNs.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted[(int) Math.ceil(quantile * sorted.length) - 1] / 1e6;
    }
}
