package io.dubbomesh.consumer.upstream;

import io.dubbomesh.transport.loop.Connector;

/** Opens links to a provider agent. */
record MeshConnector(Connector connector) implements LinkConnector {
    @Override
    public void connect() {
        connector.connect();
    }

    @Override
    public void connectLater() {
        connector.connectLater();
    }

    @Override
    public void succeeded() {
        connector.succeeded();
    }

    @Override
    public void close() {
        connector.close();
    }
}
