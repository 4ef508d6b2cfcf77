package io.dubbomesh.benchmark.stub;

import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import io.dubbomesh.runtime.protobuf.ProtobufReader;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameStreamException;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;

/**
 * One accepted connection, which answers calls by Triple as Dubbo 3.3 does: the header fields, Dubbo's wrapper of the
 * result, the trailers. Netty's codec in front of it reads and writes HTTP/2. Owned by its event loop.
 */
final class TripleStubConnection extends ChannelInboundHandlerAdapter implements StubCaller {
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString GRPC = AsciiString.cached("application/grpc+proto");
    private static final AsciiString STATUS = AsciiString.cached("grpc-status");
    private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
    private static final AsciiString OK = AsciiString.cached("200");

    private static final Http2Headers HEAD = ReadOnlyHttp2Headers.serverHeaders(false, OK, CONTENT_TYPE, GRPC);
    private static final Http2Headers SUCCESS = ReadOnlyHttp2Headers.trailers(false, STATUS, AsciiString.cached("0"));
    private static final Http2Headers UNIMPLEMENTED = failure("12", "not a call of hash(String)");
    private static final Http2Headers INTERNAL = failure("13", "the service is broken");

    /** An error of no protocol: Dubbo 3.3 resets the stream of a call that its pool has no thread for with it. */
    private static final long POOL_EXHAUSTED = 500;

    private static final String METHOD = "/hash";
    private static final int PREFIX_LENGTH = 1 + Integer.BYTES;

    /** The fields of Dubbo's wrappers: of a request the second is the arguments, of an answer the result. */
    private static final int SERIALIZATION_FIELD = 1;

    private static final int VALUE_FIELD = 2;
    private static final int TYPE_FIELD = 3;

    private final StubService service;
    private final Turn turn;
    private final HashCall call;
    private final HessianResult result = new HessianResult();
    private final ByteBuf value = Unpooled.buffer();
    private final ProtobufBuffer wrapper = new ProtobufBuffer(256);
    private final IntObjectMap<Exchange> exchanges = new IntObjectHashMap<>();
    private final Runnable flush = this::flush;
    private ChannelHandlerContext ctx;

    /** A request that is not answered. */
    private static final class Exchange {
        private final Http2FrameStream stream;
        private final boolean isHash;
        private final ByteBuf content = Unpooled.buffer();

        Exchange(Http2FrameStream stream, boolean isHash) {
            this.stream = stream;
            this.isHash = isHash;
        }
    }

    private TripleStubConnection(StubService service, Turn turn, HashCall call) {
        this.service = service;
        this.turn = turn;
        this.call = call;
    }

    /** Adds a connection and its codec to the pipeline of an accepted channel. */
    static void addTo(ChannelPipeline pipeline, StubService service, Turn turn, HashCall call) {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(Integer.MAX_VALUE);
        pipeline.addLast(
                Http2FrameCodecBuilder.forServer().initialSettings(settings).build(),
                new TripleStubConnection(service, turn, call));
    }

    private static Http2Headers failure(String status, String message) {
        return ReadOnlyHttp2Headers.serverHeaders(
                false, OK, CONTENT_TYPE, GRPC, STATUS, AsciiString.cached(status), MESSAGE, new AsciiString(message));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
        service.opened(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        exchanges.clear();
        service.closed(this);
        inactive.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext read, Object frame) {
        try {
            if (frame instanceof Http2HeadersFrame head) {
                onHead(head);
            } else if (frame instanceof Http2DataFrame data) {
                onData(data);
            } else if (frame instanceof Http2ResetFrame reset) {
                exchanges.remove(reset.stream().id());
            }
        } finally {
            ReferenceCountUtil.release(frame);
        }
    }

    private void onHead(Http2HeadersFrame head) {
        CharSequence path = head.headers().path();
        boolean isHash = path != null && AsciiString.of(path).endsWith(METHOD);
        exchanges.put(head.stream().id(), new Exchange(head.stream(), isHash));
        if (head.isEndStream()) {
            end(head.stream().id(), UNIMPLEMENTED);
        }
    }

    private void onData(Http2DataFrame data) {
        int bytes = data.initialFlowControlledBytes();
        if (bytes > 0) {
            write(new DefaultHttp2WindowUpdateFrame(bytes).stream(data.stream()));
        }
        int id = data.stream().id();
        Exchange exchange = exchanges.get(id);
        if (exchange == null) {
            return;
        }
        exchange.content.writeBytes(data.content());
        if (data.isEndStream()) {
            long hash = exchange.isHash ? hash(exchange.content) : HashCall.NONE;
            if (hash == HashCall.NONE) {
                end(id, UNIMPLEMENTED);
            } else {
                service.call(this, id, (int) hash);
            }
        }
    }

    /** Returns the hash of the one argument of a request, or {@link HashCall#NONE} if it is not such a call. */
    private long hash(ByteBuf content) {
        if (content.readableBytes() < PREFIX_LENGTH) {
            return HashCall.NONE;
        }
        byte[] message = ByteBufUtil.getBytes(content, PREFIX_LENGTH, content.readableBytes() - PREFIX_LENGTH);
        long hash = HashCall.NONE;
        try {
            ProtobufReader fields = new ProtobufReader(message);
            while (fields.next()) {
                if (fields.field() != VALUE_FIELD) {
                    fields.skip();
                } else if (hash != HashCall.NONE) {
                    return HashCall.NONE;
                } else {
                    hash = call.readArgument(fields.bytes());
                }
            }
        } catch (ProtobufReader.Malformed e) {
            return HashCall.NONE;
        }
        return hash;
    }

    @Override
    public void answer(long callId, int hash, int length) {
        Exchange exchange = exchanges.remove((int) callId);
        if (exchange == null) {
            return;
        }
        result.write(value.clear(), hash, length);
        wrapper.clear();
        wrapper.textField(TYPE_FIELD, length == 0 ? "int" : "java.lang.String");
        wrapper.bytesField(VALUE_FIELD, ByteBufUtil.getBytes(value));
        wrapper.textField(SERIALIZATION_FIELD, "hessian2");
        ByteBuf message = ctx.alloc().buffer(PREFIX_LENGTH + wrapper.length());
        message.writeByte(0).writeInt(wrapper.length());
        message.writeBytes(wrapper.array(), wrapper.offset(), wrapper.length());
        write(new DefaultHttp2HeadersFrame(HEAD).stream(exchange.stream));
        write(new DefaultHttp2DataFrame(message).stream(exchange.stream));
        write(new DefaultHttp2HeadersFrame(SUCCESS, true).stream(exchange.stream));
    }

    @Override
    public void refuse(long callId) {
        Exchange exchange = exchanges.remove((int) callId);
        if (exchange != null) {
            write(new DefaultHttp2ResetFrame(POOL_EXHAUSTED).stream(exchange.stream));
        }
    }

    @Override
    public void fail(long callId) {
        end((int) callId, INTERNAL);
    }

    private void end(int streamId, Http2Headers status) {
        Exchange exchange = exchanges.remove(streamId);
        if (exchange != null) {
            write(new DefaultHttp2HeadersFrame(status, true).stream(exchange.stream));
        }
    }

    private void write(Object frame) {
        ctx.write(frame);
        turn.ready(flush);
    }

    private void flush() {
        ctx.flush();
    }

    /** Stops reading from a peer that does not read the answers. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        readIfPossible();
        changed.fireChannelWritabilityChanged();
    }

    @Override
    public void readIfPossible() {
        ctx.channel()
                .config()
                .setAutoRead(ctx.channel().isWritable() && !service.behaviour().frozen());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (cause instanceof Http2FrameStreamException ofStream) {
            exchanges.remove(ofStream.stream().id());
        } else {
            failed.close();
        }
    }
}
