package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;

import java.io.Closeable;
import java.io.IOException;

/**
 * Measures how long the only event loop of a provider agent is held up: it answers PINGs on a link that has nothing
 * else, one each few milliseconds.
 */
public final class PingDelay implements Closeable {
    private static final long INTERVAL_MS = 3;

    private final MeshConnection link;
    private final Thread thread = new Thread(this::run, "ping-delay");
    private volatile double longestMs;
    private volatile boolean stopping;

    private PingDelay(MeshConnection link) {
        this.link = link;
    }

    public static PingDelay of(Part agent) throws IOException {
        PingDelay delay = new PingDelay(MeshConnection.connect(agent.port()));
        delay.link.exchangeHellos();
        delay.thread.setDaemon(true);
        delay.thread.start();
        return delay;
    }

    private void run() {
        try {
            while (!stopping) {
                long startNs = System.nanoTime();
                link.send(MeshFrame.ping());
                MeshFrame frame;
                do {
                    // The agent's own PINGs, and its limit, may come first.
                    frame = link.read();
                } while (frame.type() != MeshFrame.PONG);
                longestMs = Math.max(longestMs, (System.nanoTime() - startNs) / 1e6);
                Thread.sleep(INTERVAL_MS);
            }
        } catch (IOException | InterruptedException e) {
            if (!stopping) {
                longestMs = Double.POSITIVE_INFINITY;
            }
        }
    }

    /** Returns the longest delay since this was called last. */
    public double longestMs() {
        double longest = longestMs;
        longestMs = 0;
        return longest;
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        link.close();
    }
}
