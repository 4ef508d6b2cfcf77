package io.dubbomesh.registry.address;

import io.dubbomesh.runtime.HostPort;

/**
 * The identity of an endpoint: two services that are offered at one address by one protocol are offered by one
 * endpoint, which has one link for each event loop; by different protocols they are offered by two. In text {@code
 * 192.0.2.7:20880} for a provider agent and for Dubbo 2, {@code tri://192.0.2.7:50051} for Triple.
 */
public record EndpointId(HostPort address, EndpointProtocol protocol) {
    // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at each
    // start, which takes it milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof EndpointId that && protocol == that.protocol && address.equals(that.address);
    }

    @Override
    public int hashCode() {
        return 31 * protocol.ordinal() + address.hashCode();
    }

    @Override
    public String toString() {
        return protocol.text(address.toString());
    }
}
