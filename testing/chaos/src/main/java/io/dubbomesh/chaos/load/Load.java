package io.dubbomesh.chaos.load;

import io.dubbomesh.benchmark.client.LoadClient;
import io.dubbomesh.benchmark.client.LoadPlan;

import java.io.Closeable;

/** A {@link LoadClient} that goes on until it is stopped, and whose calls have the times of {@link System#nanoTime}. */
public final class Load implements Closeable {
    private final LoadClient client;
    private final long startNs;

    private Load(LoadClient client) {
        this.client = client;
        startNs = System.nanoTime() - client.elapsed().toNanos();
    }

    public static Load start(LoadPlan plan) {
        return new Load(LoadClient.start(plan));
    }

    /** The connections that are open, as the clients see them. */
    public int openConnections() throws InterruptedException {
        return client.openConnections();
    }

    /**
     * Sends nothing more, waits for the answers that are due, and returns all calls.
     *
     * @throws IllegalStateException if there were so many that some have the numbers of another load's calls
     */
    public Calls stop() throws InterruptedException {
        client.stop();
        Calls calls = Calls.of(client.finish(), startNs);
        int count = calls.all().size();
        if (count > Workload.CALLS_OF_A_LOAD) {
            throw new IllegalStateException(
                    count + " calls of one load (expected: at most " + Workload.CALLS_OF_A_LOAD + ")");
        }
        return calls;
    }

    /** Ends at once. */
    @Override
    public void close() {
        client.close();
    }
}
