package io.dubbomesh.registry.address;

import io.dubbomesh.runtime.HostPort;

/** The protocol by which an endpoint is called. */
public enum EndpointProtocol {
    /** The protocol of the agents: the endpoint is a provider agent. */
    MESH("mesh", ""),
    /** Dubbo 2. */
    DUBBO("dubbo", ""),
    /** Triple, the protocol of Dubbo 3 over HTTP/2. */
    TRIPLE("tri", "tri"),
    /** A protocol that no agent calls. */
    FOREIGN("foreign", "");

    private final String label;
    private final String scheme;

    EndpointProtocol(String label, String scheme) {
        this.label = label;
        this.scheme = scheme;
    }

    /** Returns the name for operators. */
    public String label() {
        return label;
    }

    /**
     * Returns the protocol of a Dubbo provider.
     *
     * @param name as Dubbo names it; null for Dubbo 2
     */
    public static EndpointProtocol of(String name) {
        if (name == null) {
            return DUBBO;
        }
        return name.equals(TRIPLE.scheme) ? TRIPLE : FOREIGN;
    }

    public EndpointId at(String host, int port) {
        return new EndpointId(new HostPort(host, port), this);
    }

    /** Returns the text of an endpoint at an address: the address, after a scheme for other protocols than Dubbo 2. */
    public String text(String address) {
        return scheme.isEmpty() ? address : scheme + "://" + address;
    }
}
