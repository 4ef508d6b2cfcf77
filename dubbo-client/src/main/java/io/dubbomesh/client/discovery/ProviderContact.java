package io.dubbomesh.client.discovery;

import io.dubbomesh.client.grpc.BlockingGrpcConnection;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.tls.TlsConnector;

import java.io.IOException;

/**
 * A provider that is asked something, by connections beside those of its calls. Thread-safe.
 *
 * @param serialization of the requests by the protocol of Dubbo 2
 * @param tls           null where it is called without TLS
 */
record ProviderContact(HostPort address, Serialization serialization, TlsConnector tls) {
    /** Returns the same at another port. */
    ProviderContact at(int port) {
        return new ProviderContact(new HostPort(address.host(), port), serialization, tls);
    }

    /** Opens a connection by the protocol of Dubbo 2; blocks until the deadline at most. */
    DiscoveryConnection open(long deadlineNs) throws IOException {
        return new DiscoveryConnection(address, serialization, tls, deadlineNs);
    }

    /** Opens one by Triple, likewise. */
    BlockingGrpcConnection openTriple(long deadlineNs) throws IOException {
        return new BlockingGrpcConnection(address, tls, deadlineNs);
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
