package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.SocketSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;

import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * Opens connections on one event loop.
 *
 * @param loop of {@code loops}
 */
record Connector(EventLoops loops, EventLoop loop, Switches switches) {
    private static final int READ_SIZE = 64 * 1024;
    private static final int CONNECT_TIMEOUT_MS = 3000;

    static SocketSettings sockets(Switches switches) {
        return new SocketSettings(
                switches.noDelay(),
                switches.quickAck(),
                true,
                4096,
                0,
                0,
                READ_SIZE,
                32 * 1024,
                64 * 1024,
                CONNECT_TIMEOUT_MS);
    }

    ChannelFuture connect(InetSocketAddress address, Consumer<Channel> handlers) {
        return loops.connect(loop, address, sockets(switches), initializer(switches, handlers));
    }

    static ChannelInitializer<Channel> initializer(Switches switches, Consumer<Channel> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (switches.flush() == Switches.Flush.TURN) {
                    channel.pipeline().addLast(new TurnFlush());
                }
                handlers.accept(channel);
            }
        };
    }
}
