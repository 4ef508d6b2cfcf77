package io.dubbomesh.benchmark.codec;

import io.dubbomesh.benchmark.IntegerProperty;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Answers the form request of {@code hash(String)} by itself, with nothing but what Netty offers for HTTP: what the consumer agent's
 * own HTTP is to be compared with.
 */
public final class HttpCodecServer implements AutoCloseable {
    private static final IntegerProperty PORT = new IntegerProperty("port", 0, 65_535);
    private static final IntegerProperty LOOPS = new IntegerProperty("loops", 1, 256);
    private static final int DEFAULT_PORT = 20000;
    private static final int BACKLOG = 4096;
    private static final int MAX_BODY = 1024 * 1024;

    private final EventLoopGroup group;
    private final Channel listener;

    private HttpCodecServer(EventLoopGroup group, Channel listener) {
        this.group = group;
        this.listener = listener;
    }

    public static void main(String[] args) {
        try {
            HttpCodecServer server =
                    start(PORT.in(System::getProperty, DEFAULT_PORT), LOOPS.in(System::getProperty, 1));
            System.out.println("listening on " + server.port());
        } catch (IllegalArgumentException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** Listens on the loopback address; port 0 is any. */
    public static HttpCodecServer start(int port, int loops) throws IOException {
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(loops, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec(), new HttpObjectAggregator(MAX_BODY), new HashHandler());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully();
            throw new IOException("port " + port + ": " + bound.cause().getMessage(), bound.cause());
        }
        return new HttpCodecServer(group, bound.channel());
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
