package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.transport.loop.Connector;

import java.util.concurrent.TimeUnit;

/**
 * Opens links to a provider agent. An agent that an operator drains goes on and says so on each link: a link that is
 * lost at once is followed by a longer pause, as one that was not opened.
 */
final class MeshConnector implements LinkConnector {
    private static final long LASTING_NS = TimeUnit.SECONDS.toNanos(1);

    private final Connector connector;
    private boolean connected;
    private long connectedNs;

    MeshConnector(Connector connector) {
        this.connector = connector;
    }

    @Override
    public void connect() {
        connector.connect();
    }

    @Override
    public void connectLater() {
        if (connected && System.nanoTime() - connectedNs > LASTING_NS) {
            connector.succeeded();
        }
        connected = false;
        connector.connectLater();
    }

    @Override
    public void connected() {
        connected = true;
        connectedNs = System.nanoTime();
    }

    @Override
    public void close() {
        connector.close();
    }
}
