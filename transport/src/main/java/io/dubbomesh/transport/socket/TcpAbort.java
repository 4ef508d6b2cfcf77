package io.dubbomesh.transport.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;

/**
 * The end of a connection by a reset (ABORT of RFC 9293): the operating system keeps nothing for a peer that will not
 * read it.
 */
public final class TcpAbort {
    private TcpAbort() {}

    /**
     * Resets a connection, past the handlers of its pipeline: TLS would have its farewell sent first. On the channel's
     * event loop.
     */
    public static void abort(Channel channel) {
        try {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException e) {
            // The operating system has closed the socket already.
        }
        channel.unsafe().close(channel.unsafe().voidPromise());
    }
}
