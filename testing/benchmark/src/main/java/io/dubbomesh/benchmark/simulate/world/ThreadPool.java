package io.dubbomesh.benchmark.simulate.world;

import java.util.ArrayDeque;

/** Calls of which a number of threads executes one each, in the order in which they come. */
public final class ThreadPool implements Service {
    private final Service thread;
    private final int threads;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int busy;

    /** @param thread executes one call of each thread */
    public ThreadPool(int threads, Service thread) {
        this.threads = threads;
        this.thread = thread;
    }

    @Override
    public void begin(Runnable done) {
        if (busy == threads) {
            waiting.add(done);
        } else {
            busy++;
            execute(done);
        }
    }

    private void execute(Runnable done) {
        thread.begin(() -> {
            Runnable next = waiting.poll();
            if (next == null) {
                busy--;
            } else {
                execute(next);
            }
            done.run();
        });
    }

    @Override
    public void kill() {
        thread.kill();
        waiting.clear();
        busy = 0;
    }
}
