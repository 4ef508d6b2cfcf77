package io.dubbomesh.benchmark.simulate.world;

import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * Calls that compute: each has its own amount of work, and the calls in service share the cores alike, at most one core
 * each (egalitarian processor sharing). The cores may change at any time, as the neighbours on the machine want more or
 * less.
 */
public final class SharedCores implements Service {
    private record Work(double endsAt, Runnable done) implements Comparable<Work> {
        @Override
        public int compareTo(Work other) {
            return Double.compare(endsAt, other.endsAt);
        }
    }

    private final Timeline timeline;
    private final LongSupplier workNs;
    private final PriorityQueue<Work> works = new PriorityQueue<>();
    private double cores;
    /** The work that each call would have had done if it had been here from the beginning. */
    private double done;

    private long updatedNs;
    private int plan;

    public SharedCores(Timeline timeline, double cores, LongSupplier workNs) {
        this.timeline = timeline;
        this.cores = cores;
        this.workNs = workNs;
        updatedNs = timeline.nowNs();
    }

    public void cores(double changed) {
        update();
        cores = changed;
        planNext();
    }

    @Override
    public void begin(Runnable whenDone) {
        update();
        works.add(new Work(done + workNs.getAsLong(), whenDone));
        planNext();
    }

    @Override
    public void kill() {
        works.clear();
        plan++;
    }

    private double speed() {
        return Math.min(1, cores / works.size());
    }

    private void update() {
        long nowNs = timeline.nowNs();
        if (!works.isEmpty()) {
            done += (nowNs - updatedNs) * speed();
        }
        updatedNs = nowNs;
    }

    private void planNext() {
        int planned = ++plan;
        if (!works.isEmpty()) {
            double leftNs = Math.max(0, works.element().endsAt() - done) / speed();
            timeline.after((long) Math.ceil(leftNs), () -> {
                if (planned == plan) {
                    finish();
                }
            });
        }
    }

    private void finish() {
        update();
        Work first = works.remove();
        planNext();
        first.done().run();
    }
}
