package io.dubbomesh.benchmark.ladder;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;

import java.util.concurrent.RejectedExecutionException;

/** From whichever thread to an event loop. */
final class Hop {
    private Hop() {}

    /**
     * Runs the task on the loop, at once if this is its thread.
     *
     * @param owned is released by the task, or here if the loop has ended and takes no more tasks
     */
    static void to(EventExecutor loop, ByteBuf owned, Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            owned.release();
        }
    }
}
