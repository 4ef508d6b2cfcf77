package io.dubbomesh.benchmark.connections;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Opens many connections, some at a time. Works on its event loop. */
final class Connector {
    private static final int AT_A_TIME = 256;

    /** A source address has some 28,000 ports for the connections to one destination. */
    private static final int PER_SOURCE_ADDRESS = 10_000;

    private static final int CONNECT_TIMEOUT_MS = 10_000;
    private static final int MAX_ANSWER = 64 * 1024;
    private static final int POOL = 64;

    private final EventLoop loop;
    private final InetSocketAddress server;
    private final int count;
    private final List<FormCall> calls = FormCall.pool(POOL);
    private final List<FormConnection> connections = new ArrayList<>();
    private final Promise<List<FormConnection>> connected;
    private int begun;

    Connector(EventLoop loop, int port, int count) {
        this.loop = loop;
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.count = count;
        connected = loop.newPromise();
    }

    /** Fails with an {@link IOException} with the first connection that cannot be opened. */
    Future<List<FormConnection>> connect() {
        loop.execute(() -> {
            for (int i = Math.min(AT_A_TIME, count); i > 0; i--) {
                connectOne();
            }
        });
        return connected;
    }

    private void connectOne() {
        int number = begun++;
        FormConnection connection = new FormConnection(calls, number);
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpResponseDecoder(), new HttpObjectAggregator(MAX_ANSWER), connection);
                    }
                });
        // The first source address is the system's choice, so that few connections need no other.
        ChannelFuture one = number < PER_SOURCE_ADDRESS
                ? bootstrap.connect(server)
                : bootstrap.connect(server, new InetSocketAddress("127.0.0." + (1 + number / PER_SOURCE_ADDRESS), 0));
        one.addListener(done -> connected(connection, done));
    }

    private void connected(FormConnection connection, Future<? super Void> done) {
        if (!done.isSuccess()) {
            connected.tryFailure(new IOException(
                    "connection " + (connections.size() + 1) + " of " + count + " could not be opened: "
                            + rootOf(done.cause()).getMessage(),
                    done.cause()));
            return;
        }
        connections.add(connection);
        if (connections.size() == count) {
            connected.setSuccess(connections);
        } else if (begun < count && !connected.isDone()) {
            connectOne();
        }
    }

    /** Netty wraps what the operating system says, such as that there are too many open files. */
    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
