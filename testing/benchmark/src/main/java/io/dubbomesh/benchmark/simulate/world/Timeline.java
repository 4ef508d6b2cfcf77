package io.dubbomesh.benchmark.simulate.world;

import java.util.PriorityQueue;

/** What is to happen, in the order of virtual time; of the same time in the order in which it was scheduled. */
public final class Timeline {
    private record Event(long atNs, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(1024);
    private long nowNs;
    private long scheduled;

    public long nowNs() {
        return nowNs;
    }

    public void at(long timeNs, Runnable action) {
        events.add(new Event(Math.max(timeNs, nowNs), scheduled++, action));
    }

    public void after(long delayNs, Runnable action) {
        at(nowNs + delayNs, action);
    }

    /** Runs {@code action} again and again, until the end. */
    public void every(long periodNs, Runnable action) {
        after(periodNs, () -> {
            action.run();
            every(periodNs, action);
        });
    }

    /** Has everything happen up to a time. */
    public void runUntil(long endNs) {
        Event next;
        while ((next = events.peek()) != null && next.atNs <= endNs) {
            events.remove();
            nowNs = next.atNs;
            next.action.run();
        }
        nowNs = endNs;
    }
}
