package io.dubbomesh.client.connection;

/** The protocol by which a Dubbo provider is called. */
public enum ProviderProtocol {
    /** Dubbo 2. */
    DUBBO(DubboConnection::new),
    /** Triple, which is gRPC over HTTP/2. */
    TRIPLE(TripleConnection::new);

    private final UpstreamConnection.Factory connections;

    ProviderProtocol(UpstreamConnection.Factory connections) {
        this.connections = connections;
    }

    UpstreamConnection.Factory connections() {
        return connections;
    }
}
