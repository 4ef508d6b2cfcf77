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

    /** Sends nothing more, waits for the answers that are due, and returns all calls. */
    public Calls stop() throws InterruptedException {
        client.stop();
        return Calls.of(client.finish(), startNs);
    }

    /** Ends at once. */
    @Override
    public void close() {
        client.close();
    }
}
