package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.HostPort;
import io.netty.handler.ssl.SslContext;

/**
 * A member of etcd and how to connect to it.
 *
 * @param address          an IP address and the port
 * @param host             as the operator has named it, which the certificate must contain
 * @param tls              with h2 as the protocol to be negotiated; null for a plain connection
 * @param connectTimeoutMs until the connection is established; TLS is negotiated within the time of an answer
 */
public record EtcdPeer(HostPort address, String host, SslContext tls, int connectTimeoutMs) {}
