package io.dubbomesh.chaos.provider;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A connection by Triple, as Dubbo 3.3 has it. Owned by its event loop, by which answers of other threads go, too. */
final class TripleProviderConnection extends ChannelInboundHandlerAdapter implements ProviderConnection {
    /** The code with which Dubbo resets a stream that gets no thread. */
    private static final long POOL_EXHAUSTED = 500;

    private static final int UNIMPLEMENTED = 12;
    private static final int PREFIX_LENGTH = 5;

    /** Fields 1 and 2 of the messages that wrap a call and a result, which are of type 2: bytes of a length. */
    private static final int SERIALIZATION = 1 << 3 | 2;

    private static final int ARGUMENT = 2 << 3 | 2;
    private static final int RESULT = ARGUMENT;
    private static final byte[] HESSIAN = "hessian2".getBytes(US_ASCII);

    private final AdjustableProvider provider;
    private final Map<Integer, Request> requests = new HashMap<>();
    private ChannelHandlerContext ctx;

    /** A stream whose request is not answered yet. */
    private record Request(Http2FrameStream stream, String method, ByteBuf content) {}

    private TripleProviderConnection(AdjustableProvider provider) {
        this.provider = provider;
    }

    /** Listens until it is closed, which the connections outlive. */
    static Closeable listen(AdjustableProvider provider, InetSocketAddress address) throws InterruptedException {
        Channel listener = new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(
                                        Http2FrameCodecBuilder.forServer().build(),
                                        new TripleProviderConnection(provider));
                    }
                })
                .bind(address)
                .sync()
                .channel();
        return () -> listener.close().syncUninterruptibly();
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        ctx = active;
        provider.opened(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        provider.closed(this);
        requests.values().forEach(request -> request.content.release());
        requests.clear();
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object frame) throws IOException {
        try {
            if (frame instanceof Http2HeadersFrame headers) {
                String path = headers.headers().path().toString();
                String method = path.substring(path.lastIndexOf('/') + 1);
                Request request = new Request(headers.stream(), method, Unpooled.buffer());
                requests.put(headers.stream().id(), request);
                if (headers.isEndStream()) {
                    call(request);
                }
            } else if (frame instanceof Http2DataFrame data) {
                ctx.write(new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes()).stream(data.stream()));
                Request request = requests.get(data.stream().id());
                if (request != null) {
                    request.content.writeBytes(data.content());
                    if (data.isEndStream()) {
                        call(request);
                    }
                }
            } else if (frame instanceof Http2ResetFrame reset) {
                Request request = requests.remove(reset.stream().id());
                if (request != null) {
                    request.content.release();
                }
            }
        } finally {
            ReferenceCountUtil.release(frame);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        ctx.flush();
    }

    private void call(Request request) throws IOException {
        if (request.content.readableBytes() <= PREFIX_LENGTH) {
            // An agent asks by a call without content whether a service is exported: all are.
            end(request.stream.id(), UNIMPLEMENTED);
            return;
        }
        byte[] message = ByteBufUtil.getBytes(
                request.content,
                request.content.readerIndex() + PREFIX_LENGTH,
                request.content.readableBytes() - PREFIX_LENGTH);
        provider.call(this, new ProviderCall(request.stream.id(), request.method, argument(ByteBuffer.wrap(message))));
    }

    private static String argument(ByteBuffer wrapper) throws IOException {
        while (wrapper.hasRemaining()) {
            int field = wrapper.get();
            int length = length(wrapper);
            if (field == ARGUMENT) {
                return ProviderCall.text(wrapper.slice(wrapper.position(), length));
            }
            wrapper.position(wrapper.position() + length);
        }
        throw new IOException("a call without an argument");
    }

    /** Reads seven bits a byte, the lowest first. */
    private static int length(ByteBuffer in) {
        int length = 0;
        for (int shift = 0; ; shift += 7) {
            int next = in.get();
            length |= (next & 0x7f) << shift;
            if (next >= 0) {
                return length;
            }
        }
    }

    @Override
    public void answer(ProviderCall call) {
        switch (call.method()) {
            case "hash" -> answer(call, number(call.argument().hashCode()));
            case "text" -> answer(call, LongText.hessian(Integer.parseInt(call.argument())));
            default -> ctx.executor().execute(() -> end((int) call.requestId(), UNIMPLEMENTED));
        }
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(5).put((byte) 'I').putInt(value).array();
    }

    private void answer(ProviderCall call, byte[] result) {
        ByteArrayOutputStream wrapper = new ByteArrayOutputStream(result.length + 32);
        write(wrapper, SERIALIZATION, HESSIAN);
        write(wrapper, RESULT, result);
        ByteBuf message = Unpooled.buffer(PREFIX_LENGTH + wrapper.size());
        message.writeByte(0).writeInt(wrapper.size()).writeBytes(wrapper.toByteArray());
        ctx.executor().execute(() -> answer((int) call.requestId(), message));
    }

    private static void write(ByteArrayOutputStream out, int field, byte[] bytes) {
        out.write(field);
        int length = bytes.length;
        for (; length > 0x7f; length >>>= 7) {
            out.write(length & 0x7f | 0x80);
        }
        out.write(length);
        out.writeBytes(bytes);
    }

    private void answer(int streamId, ByteBuf message) {
        Request request = remove(streamId);
        if (request == null) {
            message.release();
            return;
        }
        Http2FrameStream stream = request.stream;
        ctx.write(new DefaultHttp2HeadersFrame(head()).stream(stream));
        ctx.write(new DefaultHttp2DataFrame(message).stream(stream));
        Http2Headers trailers = new DefaultHttp2Headers().setInt("grpc-status", 0);
        ctx.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true).stream(stream));
    }

    private static Http2Headers head() {
        return new DefaultHttp2Headers().status("200").set("content-type", "application/grpc+proto");
    }

    private void end(int streamId, int grpcStatus) {
        Request request = remove(streamId);
        if (request != null) {
            Http2Headers only = head().setInt("grpc-status", grpcStatus);
            ctx.writeAndFlush(new DefaultHttp2HeadersFrame(only, true).stream(request.stream));
        }
    }

    @Override
    public void refuse(ProviderCall call) {
        ctx.executor().execute(() -> {
            Request request = remove((int) call.requestId());
            if (request != null) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(POOL_EXHAUSTED).stream(request.stream));
            }
        });
    }

    /** Returns the request that is about to be answered; null if the agent has given it up. */
    private Request remove(int streamId) {
        Request request = requests.remove(streamId);
        if (request != null) {
            request.content.release();
        }
        return request;
    }

    /** The agent may still open streams that it had begun before it has read this. */
    @Override
    public void endCalls() {
        DefaultHttp2GoAwayFrame goAway = new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR);
        goAway.setExtraStreamIds(Integer.MAX_VALUE);
        ctx.executor().execute(() -> ctx.writeAndFlush(goAway));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        if (!(cause instanceof Http2FrameStreamException)) {
            from.close();
        }
    }
}
