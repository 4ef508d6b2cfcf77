package io.dubbomesh.transport.socket;

import io.netty.bootstrap.AbstractBootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;

/**
 * The options of the sockets of one kind of connection. Sizes are bytes; 0 leaves a size to the operating system.
 *
 * @param noDelay       TCP_NODELAY
 * @param quickAck      TCP_QUICKACK, epoll only
 * @param reuseAddress SO_REUSEADDR, listening sockets only: a restarted agent gets its port though old connections
 *     linger
 * @param backlog       accepted connections that wait for their turn, listening sockets only
 * @param receiveBuffer SO_RCVBUF
 * @param sendBuffer    SO_SNDBUF
 * @param readSize      the most that one read takes, where each connection has a buffer of its own (io_uring)
 * @param lowWaterMark  once so few bytes wait to be written, reading from the side that causes them goes on
 * @param highWaterMark once more bytes wait to be written, it stops
 * @param connectTimeoutMs of outbound connections
 * @param userTimeoutMs TCP_USER_TIMEOUT (RFC 5482), Linux with epoll or io_uring only: for so long a peer may
 *     acknowledge nothing of what was sent, or have no room for what waits, until the connection is closed
 */
public record SocketSettings(
        boolean noDelay,
        boolean quickAck,
        boolean reuseAddress,
        int backlog,
        int receiveBuffer,
        int sendBuffer,
        int readSize,
        int lowWaterMark,
        int highWaterMark,
        int connectTimeoutMs,
        int userTimeoutMs) {
    /** Many clients that connect at once take few turns, and the open connections do not wait long for them. */
    private static final int ACCEPTS_PER_TURN = 16;

    /** Leaves the user timeout to the operating system. */
    public SocketSettings(
            boolean noDelay,
            boolean quickAck,
            boolean reuseAddress,
            int backlog,
            int receiveBuffer,
            int sendBuffer,
            int readSize,
            int lowWaterMark,
            int highWaterMark,
            int connectTimeoutMs) {
        this(
                noDelay,
                quickAck,
                reuseAddress,
                backlog,
                receiveBuffer,
                sendBuffer,
                readSize,
                lowWaterMark,
                highWaterMark,
                connectTimeoutMs,
                0);
    }

    public SocketSettings withUserTimeoutMs(int timeoutMs) {
        return new SocketSettings(
                noDelay,
                quickAck,
                reuseAddress,
                backlog,
                receiveBuffer,
                sendBuffer,
                readSize,
                lowWaterMark,
                highWaterMark,
                connectTimeoutMs,
                timeoutMs);
    }

    public void applyToListener(ServerBootstrap bootstrap, Transport transport) {
        bootstrap
                .option(ChannelOption.SO_BACKLOG, backlog)
                .option(ChannelOption.SO_REUSEADDR, reuseAddress)
                .option(ChannelOption.RECVBUF_ALLOCATOR, accepts());
        applyTo(bootstrap::childOption, transport);
    }

    public void applyToConnection(AbstractBootstrap<?, ?> bootstrap, Transport transport) {
        bootstrap.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMs);
        applyTo(bootstrap::option, transport);
    }

    /** Takes the options of connections, accepted or opened. */
    private interface Options {
        <T> void set(ChannelOption<T> option, T value);
    }

    private void applyTo(Options options, Transport transport) {
        options.set(ChannelOption.TCP_NODELAY, noDelay);
        options.set(ChannelOption.RECVBUF_ALLOCATOR, readBuffers(transport));
        options.set(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark());
        if (receiveBuffer > 0) {
            options.set(ChannelOption.SO_RCVBUF, receiveBuffer);
        }
        if (sendBuffer > 0) {
            options.set(ChannelOption.SO_SNDBUF, sendBuffer);
        }
        if (quickAck && transport == Transport.EPOLL) {
            options.set(EpollChannelOption.TCP_QUICKACK, true);
        }
        ChannelOption<Integer> userTimeout = transport.userTimeout();
        if (userTimeoutMs > 0 && userTimeout != null) {
            options.set(userTimeout, userTimeoutMs);
        }
    }

    /**
     * Gives a channel read buffers that belong to it alone, for a handler that keeps them. They are no larger than what
     * has arrived.
     */
    public static void useOwnReadBuffers(Channel channel) {
        if (channel.config().getRecvByteBufAllocator() instanceof SharedReadBuffer) {
            channel.config().setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1));
        }
    }

    private static RecvByteBufAllocator accepts() {
        // With epoll, Netty otherwise takes the number of the accepted socket for a number of bytes, and stops after
        // the first.
        return new ServerChannelRecvByteBufAllocator()
                .respectMaybeMoreData(false)
                .maxMessagesPerRead(ACCEPTS_PER_TURN);
    }

    private RecvByteBufAllocator readBuffers(Transport transport) {
        return transport == Transport.IO_URING
                ? new FixedRecvByteBufAllocator(readSize).maxMessagesPerRead(1)
                : SharedReadBuffer.INSTANCE;
    }

    private WriteBufferWaterMark waterMark() {
        return new WriteBufferWaterMark(lowWaterMark, highWaterMark);
    }
}
