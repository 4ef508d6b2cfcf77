package io.dubbomesh.registry.etcd.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;

import java.nio.charset.StandardCharsets;

/**
 * The calls on a connection, each on a stream of its own. Netty keeps the streams, their windows and the compression of
 * headers; what is read counts as consumed at once, since a call keeps no more than one message. Belongs to the
 * connection's event loop.
 */
final class GrpcStreams extends Http2ConnectionHandler {
    /** So much may be under way to this client, for each stream and for all of them: the default would be 64 KiB. */
    static final int WINDOW = 1 << 20;

    private static final long MAX_HEADER_LIST_SIZE = 16 * 1024;

    private final Http2Connection.PropertyKey callKey;
    /** Why the connection ends; null as long as no reason is known. */
    private GrpcException reason;

    static GrpcStreams create() {
        return new Builder().build();
    }

    /** Sets Netty's own bounds, on queued control frames and on DATA frames without data. */
    private static final class Builder extends AbstractHttp2ConnectionHandlerBuilder<GrpcStreams, Builder> {
        Builder() {
            server(false);
            initialSettings(new Http2Settings()
                    .pushEnabled(false)
                    .initialWindowSize(WINDOW)
                    .maxHeaderListSize(MAX_HEADER_LIST_SIZE));
            // A watch never ends by itself, so that there is nothing to wait for.
            gracefulShutdownTimeoutMillis(0);
        }

        @Override
        protected GrpcStreams build() {
            return super.build();
        }

        @Override
        protected GrpcStreams build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            return new GrpcStreams(decoder, encoder, settings);
        }
    }

    private GrpcStreams(Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        super(decoder, encoder, settings);
        callKey = connection().newKey();
        connection().addListener(new Streams());
        decoder.frameListener(new Frames());
    }

    /** Widens the window of the connection: called once, when the settings have been written. */
    void widen(ChannelHandlerContext ctx) throws Http2Exception {
        Http2Stream all = connection().connectionStream();
        int more = WINDOW - connection().local().flowController().windowSize(all);
        connection().local().flowController().incrementWindowSize(all, more);
        flush(ctx);
    }

    /**
     * Sends the first message of a call, and ends it with this message if it is the {@code only} one.
     *
     * @return the number of its stream, for {@link #send}
     */
    int start(ChannelHandlerContext ctx, GrpcCall call, Http2Headers headers, byte[] message, boolean only) {
        int stream = connection().local().incrementAndGetNextStreamId();
        if (!ctx.channel().isActive() || connection().goAwayReceived()) {
            call.end(reason());
            return stream;
        }
        encoder().writeHeaders(ctx, stream, headers, 0, false, ctx.newPromise()).addListener(written -> {
            if (!written.isSuccess()) {
                // A stream may fail by itself, as one above the number that etcd allows does.
                call.end(reason == null ? GrpcException.ofConnection(written.cause()) : reason);
            }
        });
        Http2Stream opened = connection().stream(stream);
        if (opened != null) {
            opened.setProperty(callKey, call);
            send(ctx, stream, message, only);
        }
        return stream;
    }

    /** Sends a message of a call, whose stream may have ended. */
    void send(ChannelHandlerContext ctx, int stream, byte[] message, boolean last) {
        if (connection().stream(stream) != null) {
            ByteBuf prefix = ctx.alloc().buffer(GrpcMessageReader.PREFIX_LENGTH);
            prefix.writeByte(0).writeInt(message.length);
            ByteBuf data = Unpooled.wrappedBuffer(prefix, Unpooled.wrappedBuffer(message));
            encoder().writeData(ctx, stream, data, 0, last, ctx.newPromise());
            flush(ctx);
        }
    }

    /** Ends the client's side of a call, whose stream may have ended. */
    void finish(ChannelHandlerContext ctx, int stream) {
        if (connection().stream(stream) != null) {
            encoder().writeData(ctx, stream, Unpooled.EMPTY_BUFFER, 0, true, ctx.newPromise());
            flush(ctx);
        }
    }

    /** Records why the connection ends; the first reason counts. */
    void endsBecause(Throwable cause) {
        if (reason == null) {
            reason = GrpcException.ofConnection(cause);
        }
    }

    /** Returns why the connection has ended, or is about to. */
    private GrpcException reason() {
        return reason == null ? new GrpcException(GrpcStatus.UNAVAILABLE, "etcd closed the connection") : reason;
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception http2Ex) {
        if (reason == null && !outbound && http2Ex != null) {
            reason = new GrpcException(GrpcStatus.UNAVAILABLE, "not HTTP/2: " + http2Ex.getMessage());
        }
        endsBecause(cause);
        super.onConnectionError(ctx, outbound, cause, http2Ex);
    }

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
        GrpcCall call = call(error.streamId());
        if (call != null) {
            call.end(new GrpcException(GrpcStatus.INTERNAL, error.getMessage()));
        } else if (!outbound && error.error() == Http2Error.STREAM_CLOSED) {
            // A frame that was under way when its stream was reset, of which etcd has been told.
            return;
        }
        super.onStreamError(ctx, outbound, cause, error);
    }

    /** Returns the call of a stream; null if it has ended. */
    private GrpcCall call(int streamId) {
        Http2Stream stream = connection().stream(streamId);
        return stream == null ? null : stream.getProperty(callKey);
    }

    private final class Streams extends Http2ConnectionAdapter {
        @Override
        public void onStreamClosed(Http2Stream stream) {
            GrpcCall call = stream.getProperty(callKey);
            if (call != null) {
                call.end(reason());
            }
        }

        @Override
        public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
            if (reason == null) {
                reason = new GrpcException(
                        GrpcStatus.UNAVAILABLE,
                        errorCode == Http2Error.NO_ERROR.code()
                                ? "etcd is closing the connection"
                                : "etcd ended the connection: " + Http2Error.valueOf(errorCode) + ' '
                                        + debugData.toString(StandardCharsets.UTF_8));
            }
        }
    }

    private final class Frames extends Http2EventAdapter {
        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int streamId,
                Http2Headers headers,
                int streamDependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endOfStream) {
            onHeadersRead(ctx, streamId, headers, padding, endOfStream);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endOfStream) {
            GrpcCall call = call(streamId);
            if (call != null) {
                call.onHeaders(headers, endOfStream);
                resetIfEnded(ctx, streamId, call, endOfStream);
            }
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
            int length = data.readableBytes() + padding;
            GrpcCall call = call(streamId);
            if (call != null) {
                call.onData(data, endOfStream);
                resetIfEnded(ctx, streamId, call, endOfStream);
            }
            return length;
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
            GrpcCall call = call(streamId);
            if (call != null) {
                call.end(new GrpcException(
                        GrpcStatus.UNAVAILABLE, "etcd reset the stream: " + Http2Error.valueOf(errorCode)));
            }
        }

        /** Tells etcd that no more of this call is wanted. */
        private void resetIfEnded(ChannelHandlerContext ctx, int streamId, GrpcCall call, boolean endOfStream) {
            if (call.isEnded() && !endOfStream) {
                resetStream(ctx, streamId, Http2Error.CANCEL.code(), ctx.newPromise());
                flush(ctx);
            }
        }
    }
}
