package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.site.Part;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The most resident memory that a process has while something happens, of samples. */
record Peak(Part part) {
    private static final long SAMPLE_MS = 200;

    interface Action {
        void run() throws Exception;
    }

    static Peak of(Part part) {
        return new Peak(part);
    }

    /** In MiB. */
    double during(Action action) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        Thread thread = new Thread(task, "peak");
        thread.setDaemon(true);
        thread.start();
        double most = sample();
        while (true) {
            try {
                task.get(SAMPLE_MS, TimeUnit.MILLISECONDS);
                return Math.max(most, sample());
            } catch (TimeoutException e) {
                most = Math.max(most, sample());
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** 0 of a process that has ended. */
    private double sample() throws IOException {
        return part.isAlive() ? part.rssMib() : 0;
    }
}
