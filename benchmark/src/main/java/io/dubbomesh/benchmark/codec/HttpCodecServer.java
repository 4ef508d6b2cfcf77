package io.dubbomesh.benchmark.codec;

import io.dubbomesh.benchmark.NumberProperty;
import io.dubbomesh.transport.loop.BindException;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
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

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Answers the form request of {@code hash(String)} by itself, with Netty's own HTTP classes on the agents' event loops: the consumer agent's
 * HTTP is compared with it.
 */
public final class HttpCodecServer implements AutoCloseable {
    private static final NumberProperty PORT = new NumberProperty("port", 0, 65_535);
    private static final int DEFAULT_PORT = 20_000;
    private static final int MAX_BODY = 1024 * 1024;

    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 4096, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 0);

    private final EventLoops loops;
    private final Channel listener;

    private HttpCodecServer(EventLoops loops, Channel listener) {
        this.loops = loops;
        this.listener = listener;
    }

    public static void main(String[] args) throws BindException {
        HttpCodecServer server = start(PORT.whole(System::getProperty, DEFAULT_PORT));
        System.out.println("listening on " + server.port());
    }

    /** Listens on the loopback address; port 0 is any. */
    static HttpCodecServer start(int port) throws BindException {
        EventLoops loops = new EventLoops("codec", 1, Transport.of("auto"));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Channel listener = loops.listen(address, SOCKETS, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline()
                        .addLast(new HttpServerCodec(), new HttpObjectAggregator(MAX_BODY), new HashHandler());
            }
        });
        return new HttpCodecServer(loops, listener);
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        loops.close();
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
