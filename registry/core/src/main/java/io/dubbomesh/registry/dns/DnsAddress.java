package io.dubbomesh.registry.dns;

import io.dubbomesh.runtime.HostPort;

/**
 * The address of a provider in DNS.
 *
 * @param host   an IP address
 * @param weight of its SRV record, at least 1; -1 if that says nothing
 */
record DnsAddress(String host, int port, int weight) {
    /** Returns the text that {@link io.dubbomesh.registry.Endpoint#address} would have. */
    String text() {
        return new HostPort(host, port).toString();
    }
}
