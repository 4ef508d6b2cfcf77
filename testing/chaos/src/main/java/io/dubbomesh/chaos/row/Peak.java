package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.site.Part;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The most resident memory that processes have while something happens, of samples. */
public record Peak(List<Part> parts) {
    private static final long SAMPLE_MS = 200;

    public interface Action {
        void run() throws Exception;
    }

    public static Peak of(Part part) {
        return new Peak(List.of(part));
    }

    /** In MiB, of the first process. */
    public double during(Action action) throws Exception {
        return ofEachDuring(action)[0];
    }

    /** In MiB, in the order of the processes. */
    public double[] ofEachDuring(Action action) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        Thread thread = new Thread(task, "peak");
        thread.setDaemon(true);
        thread.start();
        double[] most = new double[parts.size()];
        sample(most);
        while (true) {
            try {
                task.get(SAMPLE_MS, TimeUnit.MILLISECONDS);
                sample(most);
                return most;
            } catch (TimeoutException e) {
                sample(most);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** Takes a sample; none of a process that has ended. */
    private void sample(double[] most) throws IOException {
        for (int i = 0; i < most.length; i++) {
            if (parts.get(i).isAlive()) {
                most[i] = Math.max(most[i], parts.get(i).rssMib());
            }
        }
    }
}
