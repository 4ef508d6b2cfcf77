package io.dubbomesh.transport.grpc;

import io.dubbomesh.protocol.triple.HeaderBlock;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.transport.http2.Http2Client;
import io.dubbomesh.transport.http2.Http2Limits;
import io.dubbomesh.transport.http2.Http2Listener;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.collection.IntObjectHashMap;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * The calls on a connection, each on a stream of its own. What is read counts as consumed at once, since a call keeps
 * no more than one message. Belongs to the connection's event loop.
 */
final class GrpcStreams implements Http2Listener {
    private static final byte[] TE = HeaderBlock.bytes("te");
    private static final byte[] TRAILERS = HeaderBlock.bytes("trailers");

    /** All that is read is consumed at once, so that wide windows cost no memory. */
    private static final Http2Limits LIMITS = new Http2Limits(1024, 1 << 20, 2 << 20, 64 * 1024, 1 << 20);

    private final boolean isSecure;
    private final byte[] authority;
    private final Consumer<GrpcStreams> opened;
    private final Http2Client client;
    private final IntObjectHashMap<GrpcCall> calls = new IntObjectHashMap<>();
    /** Why the connection ends; null as long as no reason is known. */
    private GrpcException reason;

    /** @param opened called when calls can be started */
    GrpcStreams(Turn turn, GrpcPeer peer, Consumer<GrpcStreams> opened) {
        this.isSecure = peer.tls() != null;
        this.authority = HeaderBlock.bytes(peer.authority());
        this.opened = opened;
        this.client = new Http2Client(turn, LIMITS, this);
    }

    /** Returns the handler of the connection. */
    Http2Client handler() {
        return client;
    }

    /**
     * Starts a call, and ends it with its first message if that is the {@code only} one.
     *
     * @return the number of its stream, for {@link #send}; 0 if it has failed
     */
    int start(GrpcCall call, GrpcRequest request, boolean only) {
        if (!client.canOpen()) {
            call.end(refusal());
            return 0;
        }
        ByteBuf out = Unpooled.buffer();
        writeFields(out, request);
        int fields = out.readableBytes();
        writeMessage(out, request.message());
        int content = out.readableBytes() - fields;
        try {
            int stream = only ? client.open(out, 0, fields, fields, content) : client.begin(out, 0, fields);
            calls.put(stream, call);
            if (!only) {
                client.send(stream, out, fields, content);
            }
            return stream;
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            call.end(GrpcException.ofConnection(e));
            return 0;
        }
    }

    private GrpcException refusal() {
        if (reason != null) {
            return reason;
        }
        return new GrpcException(
                GrpcStatus.UNAVAILABLE,
                client.isEnding()
                        ? "the connection has ended"
                        : "all streams of the connection are in use (at most " + client.maxStreams() + ")");
    }

    private void writeFields(ByteBuf out, GrpcRequest request) {
        HeaderBlock.indexed(out, HeaderBlock.METHOD_POST);
        HeaderBlock.indexed(out, isSecure ? HeaderBlock.SCHEME_HTTPS : HeaderBlock.SCHEME_HTTP);
        HeaderBlock.field(out, HeaderBlock.PATH, HeaderBlock.bytes(request.path()));
        HeaderBlock.field(out, HeaderBlock.AUTHORITY, authority);
        HeaderBlock.field(out, TE, TRAILERS);
        HeaderBlock.field(out, HeaderBlock.CONTENT_TYPE, HeaderBlock.bytes(request.contentType()));
        request.fields()
                .forEach((name, value) -> HeaderBlock.secret(out, HeaderBlock.bytes(name), HeaderBlock.bytes(value)));
    }

    private static void writeMessage(ByteBuf out, byte[] message) {
        out.writeByte(0).writeInt(message.length).writeBytes(message);
    }

    /** Sends another message of a call, whose stream may have ended. */
    void send(int stream, byte[] message) {
        ByteBuf out = Unpooled.buffer(GrpcMessageReader.PREFIX_LENGTH + message.length);
        writeMessage(out, message);
        try {
            client.send(stream, out, 0, out.readableBytes());
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            end(stream, GrpcException.ofConnection(e));
        }
    }

    /** Ends the client's side of a call, whose stream may have ended. */
    void finish(int stream) {
        client.finish(stream);
    }

    private void end(int stream, GrpcException failure) {
        GrpcCall call = calls.remove(stream);
        if (call != null) {
            call.end(failure);
        }
    }

    /** Forgets a call that has ended, and resets its stream if that has not. */
    private void removeIfEnded(int stream, GrpcCall call, boolean endStream) {
        if (endStream || call.isEnded()) {
            calls.remove(stream);
            client.reset(stream, Http2Error.CANCEL);
        }
    }

    @Override
    public void active() {
        opened.accept(this);
    }

    @Override
    public void headers(int stream, Http2Headers headers, boolean endStream) {
        GrpcCall call = calls.get(stream);
        if (call != null) {
            call.onHeaders(headers, endStream);
            removeIfEnded(stream, call, endStream);
        }
    }

    @Override
    public void data(int stream, ByteBuf in, int offset, int length, boolean endStream) {
        client.consumed(stream, length);
        GrpcCall call = calls.get(stream);
        if (call != null) {
            call.onData(in.slice(offset, length), endStream);
            removeIfEnded(stream, call, endStream);
        }
    }

    @Override
    public void reset(int stream, long errorCode) {
        end(stream, reason == null ? GrpcException.refused("the stream was reset: " + name(errorCode)) : reason);
    }

    private static String name(long errorCode) {
        return Objects.toString(Http2Error.valueOf(errorCode), "error " + errorCode);
    }

    @Override
    public void failed(int stream, String why) {
        end(stream, new GrpcException(GrpcStatus.INTERNAL, why));
    }

    @Override
    public void goAway(int lastStreamId, long errorCode, String debug) {
        if (reason == null) {
            String why = errorCode == Http2Error.NO_ERROR.code()
                    ? "the peer is closing the connection"
                    : "the peer has ended the connection: " + name(errorCode) + ' ' + debug;
            reason = new GrpcException(GrpcStatus.UNAVAILABLE, why.strip());
        }
    }

    @Override
    public void lost(String why) {
        if (reason == null) {
            reason = new GrpcException(GrpcStatus.UNAVAILABLE, why);
        }
        for (GrpcCall call : calls.values().toArray(GrpcCall[]::new)) {
            call.end(reason);
        }
        calls.clear();
    }
}
