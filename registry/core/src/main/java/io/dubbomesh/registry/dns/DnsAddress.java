package io.dubbomesh.registry.dns;

import io.dubbomesh.runtime.HostPort;

/**
 * Where a provider is, as DNS tells it.
 *
 * @param host   an IP address
 * @param weight of its SRV record, at least 1; -1 if that says nothing
 */
record DnsAddress(String host, int port, int weight) {
    /** As {@link io.dubbomesh.registry.Endpoint#address}. */
    String text() {
        return new HostPort(host, port).toString();
    }
}
