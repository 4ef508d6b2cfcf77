package io.dubbomesh.transport.grpc;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;

import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * A server of gRPC and how to connect to it.
 *
 * @param authority        what calls name as the server, with the port
 * @param tls              null for a plain connection
 * @param connectTimeoutMs until the connection is established; TLS is negotiated within the time of an answer
 */
public record GrpcPeer(InetSocketAddress address, String authority, Tls tls, int connectTimeoutMs) {
    /**
     * TLS in front of each connection.
     *
     * @param handlers     makes its handler, which offers h2 by ALPN
     * @param requiresAlpn whether a server that chooses no protocol is refused, as one is that chooses another
     */
    public record Tls(Function<Channel, SslHandler> handlers, boolean requiresAlpn) {}
}
