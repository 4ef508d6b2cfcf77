package io.dubbomesh.registry.thread;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Tasks of other threads for one thread, which runs them in their order between its own work. */
public final class TaskQueue implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    /** Adds a task; called by any thread. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Ends the waiting of {@link #run}; called by any thread. */
    public void wake() {
        tasks.add(() -> {});
    }

    /** Waits for a task, up to {@code timeoutNs}, and runs all that there are. */
    public void run(long timeoutNs) throws InterruptedException {
        Runnable first = tasks.poll(Math.max(0, timeoutNs), TimeUnit.NANOSECONDS);
        if (first != null) {
            first.run();
            runAll();
        }
    }

    /** Runs all tasks that there are, without waiting. */
    public void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    public boolean isEmpty() {
        return tasks.isEmpty();
    }
}
