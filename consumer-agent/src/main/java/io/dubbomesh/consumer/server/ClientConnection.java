package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.response.Response;
import io.netty.buffer.ByteBuf;

import java.net.SocketAddress;

/** The connection of an exchange, as the exchange sees it. Used by the connection's event loop. */
interface ClientConnection {
    /** Writes the response of an exchange in its turn, and goes on or ends as the exchange says. */
    void write(ServerExchange exchange, Response response);

    /** Loads what the next response needs, see {@link io.dubbomesh.consumer.http.response.Responder#touch}. */
    int touch(int level);

    /** Called when the response of an exchange is going to come in pieces. */
    void opened(ServerExchange exchange);

    /** Writes a message of an exchange whose response comes in pieces; returns whether the client takes more now. */
    boolean write(ServerExchange exchange, ByteBuf in, int offset, int length);

    /** Closes the connection because of a fault. */
    void fail(Throwable fault);

    /** Returns the client's address, as it was when the connection began. */
    SocketAddress address();

    /** Returns the client's name, as {@link io.dubbomesh.consumer.http.response.Responder#clientName}. */
    String clientName();

    /** Returns what is held for the client. */
    ClientShare share();
}
