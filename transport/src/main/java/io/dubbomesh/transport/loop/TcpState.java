package io.dubbomesh.transport.loop;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;

/** What the operating system knows of a connection and no event tells. */
public final class TcpState {
    /** TCP_CLOSE of Linux. */
    private static final int CLOSED = 7;

    private TcpState() {}

    /** Whether the peer has reset a connection whose input ended before: Netty ignores that event. Known with epoll only. */
    public static boolean isReset(Channel channel) {
        return channel instanceof EpollSocketChannel epoll
                && epoll.isOpen()
                && epoll.tcpInfo().state() == CLOSED;
    }
}
