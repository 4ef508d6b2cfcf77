package io.dubbomesh.transport.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

import java.util.Locale;

/** The ways in which the operating system moves the bytes. */
public enum Transport {
    EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class),
    IO_URING(IoUringSocketChannel.class, IoUringServerSocketChannel.class),
    NIO(NioSocketChannel.class, NioServerSocketChannel.class);

    private final Class<? extends Channel> socketChannel;
    private final Class<? extends ServerChannel> serverChannel;

    Transport(Class<? extends Channel> socketChannel, Class<? extends ServerChannel> serverChannel) {
        this.socketChannel = socketChannel;
        this.serverChannel = serverChannel;
    }

    /**
     * Returns the transport of this name; {@code auto} is epoll where there is one and NIO elsewhere.
     *
     * @throws IllegalArgumentException if there is no such transport, or not on this machine; says why
     */
    public static Transport of(String name) {
        if (name.equals("auto")) {
            return Epoll.isAvailable() ? EPOLL : NIO;
        }
        Transport transport;
        try {
            transport = valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " (expected: auto, epoll, io_uring, nio)", e);
        }
        Throwable cause = transport.unavailabilityCause();
        if (cause != null) {
            throw new IllegalArgumentException(
                    name + " (not available on this machine: " + cause.getMessage() + ")", cause);
        }
        return transport;
    }

    private Throwable unavailabilityCause() {
        return switch (this) {
            case EPOLL -> Epoll.unavailabilityCause();
            case IO_URING -> IoUring.unavailabilityCause();
            case NIO -> null;
        };
    }

    public IoHandlerFactory ioHandlerFactory() {
        return switch (this) {
            case EPOLL -> HalfCloseSafeEpoll.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    /** Returns the option TCP_USER_TIMEOUT; null where there is none. */
    ChannelOption<Integer> userTimeout() {
        return switch (this) {
            case EPOLL -> EpollChannelOption.TCP_USER_TIMEOUT;
            case IO_URING -> IoUringChannelOption.TCP_USER_TIMEOUT;
            case NIO -> null;
        };
    }

    public Class<? extends Channel> socketChannel() {
        return socketChannel;
    }

    public Class<? extends ServerChannel> serverChannel() {
        return serverChannel;
    }
}
