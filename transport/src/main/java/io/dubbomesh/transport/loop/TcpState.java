package io.dubbomesh.transport.loop;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.unix.RawUnixChannelOption;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The state of a connection that the operating system knows and no event tells. */
public final class TcpState {
    /** TCP_CLOSE of Linux. */
    private static final int CLOSED = 7;

    /** The offset of {@code tcpi_bytes_acked} in Linux' {@code struct tcp_info}. */
    private static final int BYTES_ACKED_OFFSET = 120;

    private static final int IPPROTO_TCP = 6;
    private static final int OPTION_TCP_INFO = 11;
    private static final RawUnixChannelOption TCP_INFO =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, OPTION_TCP_INFO, BYTES_ACKED_OFFSET + Long.BYTES);

    private TcpState() {}

    /**
     * Returns whether the peer has reset a connection whose input ended before: Netty ignores that event. Known with
     * epoll only.
     */
    public static boolean isReset(Channel channel) {
        return channel instanceof EpollSocketChannel epoll
                && epoll.isOpen()
                && epoll.tcpInfo().state() == CLOSED;
    }

    /**
     * Returns whether the peer has left data unread for this time, which the system keeps since it cannot send them.
     * Known with epoll only.
     */
    public static boolean isUnreadFor(Channel channel, long ms) {
        if (!(channel instanceof EpollSocketChannel epoll) || !epoll.isOpen()) {
            return false;
        }
        EpollTcpInfo info = epoll.tcpInfo();
        // The peer's window is closed, or it does not acknowledge.
        boolean waits = info.backoff() > 0 || info.unacked() > 0;
        return waits && info.lastDataSent() >= ms;
    }

    /**
     * Returns whether the system has sent data to the peer within this time, other than again what the peer has not
     * acknowledged. It takes more data only when a third of its buffer, which may be megabytes, is empty: to a slow
     * reader it may send for a minute what it has. Known with epoll only.
     */
    public static boolean hasSentWithin(Channel channel, long ms) {
        if (!(channel instanceof EpollSocketChannel epoll) || !epoll.isOpen()) {
            return false;
        }
        EpollTcpInfo info = epoll.tcpInfo();
        return info.lastDataSent() <= ms && info.retransmits() == 0;
    }

    /**
     * Returns the number of bytes that the peer's system has acknowledged so far, and a few more; -1 where that is not
     * known: with epoll it is.
     */
    public static long acknowledgedBytes(Channel channel) {
        if (!(channel instanceof EpollSocketChannel epoll) || !epoll.isOpen()) {
            return -1;
        }
        ByteBuffer info = epoll.config().getOption(TCP_INFO).order(ByteOrder.nativeOrder());
        long bytes = info.getLong(BYTES_ACKED_OFFSET);
        // The handshake counts, so a system that says nothing has not filled this in.
        return bytes == 0 ? -1 : bytes;
    }
}
