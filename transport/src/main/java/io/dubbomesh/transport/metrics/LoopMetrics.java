package io.dubbomesh.transport.metrics;

import io.dubbomesh.runtime.metrics.DurationHistogram;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The delay of an event loop, and what it holds. Owned by the loop. */
public final class LoopMetrics {
    private static final long INTERVAL_MS = 100;

    private static final Metric DELAY = Metric.histogram(
            "dubbomesh_event_loop_delay_seconds",
            "How late a task began that an event loop was to run each 100 ms.",
            "loop");
    private static final Metric HELD =
            Metric.gauge("dubbomesh_memory_held_bytes", "Bytes held for slow peers, by what they are held for.", "use");
    private static final Metric BUDGET =
            Metric.gauge("dubbomesh_memory_budget_bytes", "Bytes that may be held for slow peers (memory.budget).");
    private static final Metric DIRECT = Metric.gauge(
            "dubbomesh_direct_memory_bytes", "Direct memory that the buffers of the agent have taken from the system.");

    private static final MemoryBudget.Use[] USES = MemoryBudget.Use.values();

    private final MemoryBudget memory;
    private final String index;
    private final DurationHistogram delays = new DurationHistogram();
    private long dueNs;

    public LoopMetrics(EventLoop eventLoop, int index, MemoryBudget memory) {
        this.memory = memory;
        this.index = Integer.toString(index);
        dueNs = nextNs();
        PeriodicTask.start(eventLoop, "delay of the event loop", INTERVAL_MS, this::measure);
    }

    private static long nextNs() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(INTERVAL_MS);
    }

    private void measure() {
        delays.record(System.nanoTime() - dueNs);
        dueNs = nextNs();
    }

    public void addTo(MetricSamples samples) {
        samples.addHistogram(DELAY, delays, index);
        samples.add(BUDGET, memory.capacity());
        for (MemoryBudget.Use use : USES) {
            samples.add(HELD, memory.used(use), use.name().toLowerCase(Locale.ROOT));
        }
    }

    /** Adds what the loops share. */
    public static void addShared(MetricSamples samples) {
        samples.add(DIRECT, PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory());
    }
}
