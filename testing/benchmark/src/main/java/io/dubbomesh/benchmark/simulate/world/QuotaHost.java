package io.dubbomesh.benchmark.simulate.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * A machine of some processors, on which control groups compute. Linux divides the processors alike among the groups
 * that have work, at most one for each of their calls. In each period a group may use its quota; when that is used, its
 * calls stand still until the next period (CFS bandwidth control). The calls of a group share what it gets alike.
 */
public final class QuotaHost {
    /** @param number of the call: of two that end at the same time the earlier one ends first */
    private record Work(double endsAt, long number, Runnable done) implements Comparable<Work> {
        private static final Comparator<Work> ORDER =
                Comparator.comparingDouble(Work::endsAt).thenComparingLong(Work::number);

        @Override
        public int compareTo(Work other) {
            return ORDER.compare(this, other);
        }
    }

    private final Timeline timeline;
    private final int processors;
    private final long periodNs;
    private final List<Group> groups = new ArrayList<>();
    private long updatedNs;
    private int plan;
    private long calls;

    public QuotaHost(Timeline timeline, int processors, long periodNs) {
        this.timeline = timeline;
        this.processors = processors;
        this.periodNs = periodNs;
    }

    /**
     * Adds a control group.
     *
     * @param cores   the quota over the period
     * @param phaseNs when its first period ends
     * @param workNs  of a call
     */
    public Service addGroup(double cores, long phaseNs, LongSupplier workNs) {
        Group group = new Group(cores * periodNs, workNs);
        groups.add(group);
        timeline.after(phaseNs, () -> {
            group.refill();
            timeline.every(periodNs, group::refill);
        });
        return group;
    }

    private final class Group implements Service {
        private final double quotaNs;
        private final LongSupplier workNs;
        private final PriorityQueue<Work> works = new PriorityQueue<>();
        private double leftNs;
        /** The part of the processors that it has now. */
        private double part;
        /** The work that each call would have had done if it had been here from the beginning. */
        private double done;

        private Group(double quotaNs, LongSupplier workNs) {
            this.quotaNs = quotaNs;
            this.workNs = workNs;
            leftNs = quotaNs;
        }

        @Override
        public void begin(Runnable whenDone) {
            update();
            works.add(new Work(done + workNs.getAsLong(), ++calls, whenDone));
            planNext();
        }

        @Override
        public void kill() {
            update();
            works.clear();
            planNext();
        }

        private void refill() {
            update();
            leftNs = quotaNs;
            planNext();
        }

        private double demand() {
            return leftNs < 1 ? 0 : Math.min(works.size(), processors);
        }

        private void compute(long elapsedNs) {
            if (part > 0) {
                done += elapsedNs * part / works.size();
                leftNs -= elapsedNs * part;
            }
        }

        /** Returns when it has finished a call or used its quota. */
        private double nextNs() {
            if (part == 0) {
                return Double.POSITIVE_INFINITY;
            }
            double finishedNs = (works.element().endsAt() - done) * works.size() / part;
            return Math.max(0, Math.min(finishedNs, leftNs / part));
        }

        private void finishInto(List<Runnable> finished) {
            while (!works.isEmpty() && works.element().endsAt() - done < 1) {
                finished.add(works.remove().done());
            }
        }
    }

    private void update() {
        long nowNs = timeline.nowNs();
        groups.forEach(group -> group.compute(nowNs - updatedNs));
        updatedNs = nowNs;
    }

    private void planNext() {
        divide();
        int planned = ++plan;
        double nextNs = groups.stream().mapToDouble(Group::nextNs).min().orElseThrow();
        if (nextNs < Double.POSITIVE_INFINITY) {
            timeline.after((long) Math.ceil(nextNs), () -> {
                if (planned == plan) {
                    finish();
                }
            });
        }
    }

    /** Divides the processors: each group gets the same, or what it needs if that is less. */
    private void divide() {
        groups.forEach(group -> group.part = 0);
        double left = processors;
        int without = (int) groups.stream().filter(group -> group.demand() > 0).count();
        for (int needs = 1; needs <= processors; needs++) {
            for (Group group : groups) {
                if (group.demand() == needs) {
                    group.part = Math.min(needs, left / without);
                    left -= group.part;
                    without--;
                }
            }
        }
    }

    private void finish() {
        update();
        List<Runnable> finished = new ArrayList<>();
        groups.forEach(group -> group.finishInto(finished));
        planNext();
        finished.forEach(Runnable::run);
    }
}
