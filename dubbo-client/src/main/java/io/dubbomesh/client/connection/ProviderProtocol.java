package io.dubbomesh.client.connection;

/** The protocol by which a Dubbo provider is called. */
public enum ProviderProtocol {
    /** Dubbo 2. */
    DUBBO("dubbo", DubboConnection::new),
    /** Triple, which is gRPC over HTTP/2. */
    TRIPLE("tri", TripleConnection::new);

    private final String label;
    private final UpstreamConnection.Factory connections;

    ProviderProtocol(String label, UpstreamConnection.Factory connections) {
        this.label = label;
        this.connections = connections;
    }

    /** Returns the name for operators, as Dubbo has it. */
    public String label() {
        return label;
    }

    UpstreamConnection.Factory connections() {
        return connections;
    }
}
