package io.dubbomesh.acceptance.mesh;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;

import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A provider by Triple that answers every call with a stream of texts, {@code 0 xxx}, {@code 1 xxx} and so on, as fast
 * as the windows of its client allow. Dubbo's keep what these do not allow.
 */
public final class StreamingProvider implements Closeable {
    private static final String TYPE = "java.lang.String";
    private static final String SERIALIZATION = "hessian2";

    private static final int MAX_STREAMS = 10_000;
    /** So that it has written little more of a stream than its client has taken. */
    private static final WriteBufferWaterMark WATER_MARKS = new WriteBufferWaterMark(4 * 1024, 8 * 1024);

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final int messages;
    private final String padding;
    private final Channel listener;
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    /** @param length of each text, without its number */
    public StreamingProvider(int messages, int length) {
        this.messages = messages;
        padding = " " + "x".repeat(length - 1);
        listener = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection
                                .pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .initialSettings(
                                                Http2Settings.defaultSettings().maxConcurrentStreams(MAX_STREAMS))
                                        .build())
                                .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        stream.config().setWriteBufferWaterMark(WATER_MARKS);
                                        stream.pipeline().addLast(new Stream());
                                    }
                                }));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Returns how many streams were ended by their client. */
    public int cancelled() {
        return cancelled.get();
    }

    /** Returns how many have not ended. */
    public int open() {
        return open.get();
    }

    private final class Stream extends ChannelInboundHandlerAdapter {
        private int next;
        /** Whether an agent asks for itself, as what it is that the provider exports: not counted. */
        private boolean isOfAgent;

        private boolean begun;
        private boolean ended;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object frame) {
            if (frame instanceof Http2HeadersFrame headers) {
                isOfAgent = headers.headers().path().toString().contains("/$");
            }
            boolean isWhole = frame instanceof Http2DataFrame data && data.isEndStream();
            ReferenceCountUtil.release(frame);
            if (isWhole) {
                begun = true;
                open.addAndGet(isOfAgent ? 0 : 1);
                ctx.write(new DefaultHttp2HeadersFrame(
                        new DefaultHttp2Headers().status("200").set("content-type", "application/grpc+proto")));
                send(ctx);
            }
        }

        private void send(ChannelHandlerContext ctx) {
            while (!ended && next < messages && ctx.channel().isWritable()) {
                ctx.write(new DefaultHttp2DataFrame(message(ctx, next++)));
            }
            if (!ended && next == messages) {
                end();
                ctx.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().set("grpc-status", "0"), true));
            }
            ctx.flush();
        }

        private void end() {
            ended = true;
            open.addAndGet(isOfAgent ? 0 : -1);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (begun) {
                send(ctx);
            }
        }

        /** The stream was ended by its client, or with the connection. */
        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (begun && !ended) {
                end();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof Http2ResetFrame && begun && !ended) {
                end();
                cancelled.addAndGet(isOfAgent ? 0 : 1);
            }
        }
    }

    /** Returns the prefix of gRPC and a TripleResponseWrapper: serialization, bytes and type. */
    private ByteBuf message(ChannelHandlerContext ctx, int number) {
        byte[] text = (number + padding).getBytes(US_ASCII);
        ByteBuf out = ctx.alloc().buffer(64 + text.length);
        out.writeByte(0).writeInt(0);
        int start = out.writerIndex();
        field(out, 1, SERIALIZATION.getBytes(US_ASCII));
        ByteBuf hessian = ctx.alloc().buffer(3 + text.length);
        hessian.writeByte('S').writeShort(text.length).writeBytes(text);
        byte[] data = new byte[hessian.readableBytes()];
        hessian.readBytes(data);
        hessian.release();
        field(out, 2, data);
        field(out, 3, TYPE.getBytes(US_ASCII));
        return out.setInt(start - Integer.BYTES, out.writerIndex() - start);
    }

    private static void field(ByteBuf out, int number, byte[] value) {
        out.writeByte(number << 3 | 2);
        int length = value.length;
        for (; length > 0x7f; length >>>= 7) {
            out.writeByte(length & 0x7f | 0x80);
        }
        out.writeByte(length).writeBytes(value);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
