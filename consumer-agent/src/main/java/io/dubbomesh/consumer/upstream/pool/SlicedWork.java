package io.dubbomesh.consumer.upstream.pool;

import java.util.ArrayDeque;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks on an event loop, a millisecond of them at a time: what a changed directory costs must not hold up calls.
 * Tasks run at once as long as the millisecond is not used up, later ones in their order. Owned by the loop.
 */
public final class SlicedWork {
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PAUSE_MS = 1;

    private final ScheduledExecutorService eventLoop;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean pausing;
    private long sliceNs = System.nanoTime() - 2 * SLICE_NS;

    public SlicedWork(ScheduledExecutorService eventLoop) {
        this.eventLoop = eventLoop;
    }

    boolean isDone() {
        return tasks.isEmpty();
    }

    void execute(Runnable task) {
        long nowNs = System.nanoTime();
        if (!pausing && nowNs - sliceNs >= 2 * SLICE_NS) {
            sliceNs = nowNs;
        }
        if (!pausing && nowNs - sliceNs < SLICE_NS) {
            task.run();
        } else {
            tasks.addLast(task);
            pause();
        }
    }

    /** Netty serves its channels before it runs what is scheduled. */
    private void pause() {
        if (!pausing) {
            pausing = true;
            eventLoop.schedule(this::runSlice, PAUSE_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void runSlice() {
        pausing = false;
        sliceNs = System.nanoTime();
        try {
            Runnable task;
            while (System.nanoTime() - sliceNs < SLICE_NS && (task = tasks.pollFirst()) != null) {
                task.run();
            }
        } finally {
            if (!tasks.isEmpty()) {
                pause();
            }
        }
    }
}
