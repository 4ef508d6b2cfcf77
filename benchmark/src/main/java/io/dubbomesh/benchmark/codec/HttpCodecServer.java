package io.dubbomesh.benchmark.codec;

import io.dubbomesh.benchmark.NumberProperty;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Answers the form request of {@code hash(String)} by itself, with Netty's own HTTP classes only: the consumer agent's HTTP is compared
 * with it.
 */
public final class HttpCodecServer implements AutoCloseable {
    private static final NumberProperty PORT = new NumberProperty("port", 0, 65_535);
    private static final int DEFAULT_PORT = 20_000;
    private static final int BACKLOG = 4096;
    private static final int MAX_BODY = 1024 * 1024;

    private final EventLoopGroup group;
    private final Channel listener;

    private HttpCodecServer(EventLoopGroup group, Channel listener) {
        this.group = group;
        this.listener = listener;
    }

    public static void main(String[] args) {
        HttpCodecServer server = start(PORT.whole(System::getProperty, DEFAULT_PORT));
        System.out.println("listening on " + server.port());
    }

    /** Listens on the loopback address; port 0 is any. */
    static HttpCodecServer start(int port) {
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        Channel listener = new ServerBootstrap()
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
                .syncUninterruptibly()
                .channel();
        return new HttpCodecServer(group, listener);
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** The answers to the requests of one read are flushed together. */
    private static final class HashHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            List<String> parameters = parameters(request);
            HttpResponseStatus status = parameters.size() == 1 ? HttpResponseStatus.OK : HttpResponseStatus.BAD_REQUEST;
            ByteBuf body = parameters.size() == 1
                    ? ByteBufUtil.writeAscii(
                            ctx.alloc(), Integer.toString(parameters.get(0).hashCode()))
                    : Unpooled.EMPTY_BUFFER;
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, "text/plain;charset=UTF-8")
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            if (HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess()) {
                ctx.write(response, ctx.voidPromise());
            } else {
                HttpUtil.setKeepAlive(response, false);
                ctx.write(response).addListener(ChannelFutureListener.CLOSE);
            }
        }

        private static List<String> parameters(FullHttpRequest request) {
            if (request.decoderResult().isFailure() || !request.method().equals(HttpMethod.POST)) {
                return List.of();
            }
            // Costs half as much as HttpPostRequestDecoder.
            return new QueryStringDecoder(request.content().toString(UTF_8), UTF_8, false)
                    .parameters()
                    .getOrDefault("parameter", List.of());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
