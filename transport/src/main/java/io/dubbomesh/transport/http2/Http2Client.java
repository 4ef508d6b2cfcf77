package io.dubbomesh.transport.http2;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Error;

/**
 * The client's end of one HTTP/2 connection (RFC 9113), with prior knowledge or behind TLS with ALPN: opens streams for
 * requests that are complete, hands over what the peer answers, and keeps to the windows of both sides. Owned by the
 * event loop of its channel.
 *
 * <p>Requests come as finished HPACK blocks of literals, so that no table is kept of what the peer has got. Of a
 * request whose content is longer than the peer's windows the rest waits here, counted in the memory budget of the
 * loop.
 */
public final class Http2Client extends FrameHandler {
    private static final int FRAME_HEADER_LENGTH = 9;

    private Channel channel;
    private OutboundBatch batch;

    /** @param turn of the loop that owns the channel; its budget counts what waits */
    public Http2Client(Turn turn, Http2Limits limits, Http2Listener listener) {
        super(FRAME_HEADER_LENGTH, turn.memory());
    }

    public Channel channel() {
        return channel;
    }

    /** Returns the batch that is written to, for its {@link OutboundBatch#handedOverBytes}. */
    public OutboundBatch batch() {
        return batch;
    }

    /** Returns whether a stream can be opened now: the connection is not ending, and the peer takes one more. */
    public boolean canOpen() {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns whether no stream can be opened on this connection any more: the peer has said so, the ids are used up,
     * or the connection has ended. Streams that are open may go on.
     */
    public boolean isEnding() {
        throw new UnsupportedOperationException();
    }

    /** Returns the number of streams that are open. */
    public int openStreams() {
        throw new UnsupportedOperationException();
    }

    /** Returns how many streams may be open at once, by the peer's settings and the own limit. */
    public int maxStreams() {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens a stream with a complete request; {@link #canOpen} must be true. The bytes are copied. If this throws, the
     * request was certainly not executed, and there is no stream.
     *
     * @param block the header fields as an HPACK block that names no entry of the dynamic table and adds none
     * @param data  the content, whole; nothing if {@code dataLength} is 0
     * @return the stream's id
     */
    public int open(ByteBuf in, int blockOffset, int blockLength, int dataOffset, int dataLength) {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends a stream whose answer is not wanted any more, and drops what waits of its request. Nothing is called for it
     * afterwards. Does nothing if it has ended.
     */
    public void reset(int streamId, Http2Error error) {
        throw new UnsupportedOperationException();
    }

    /**
     * Gives bytes of {@link Http2Listener#data} back to the windows of the peer. With the end of a stream all of its
     * bytes are given back to that of the connection, and this does nothing.
     */
    public void consumed(int streamId, int bytes) {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns whether the peer has certainly not got the whole request of an open stream, so that it has not executed
     * it: its end waits for the windows, or no system call has taken the frame with it.
     */
    public boolean isUnsent(int streamId) {
        throw new UnsupportedOperationException();
    }

    /** Returns whether more requests should be written: neither the channel nor the windows hold up too much. */
    public boolean isWritable() {
        throw new UnsupportedOperationException();
    }

    /**
     * Sends a PING.
     *
     * @return the length of its frame
     */
    public int ping() {
        throw new UnsupportedOperationException();
    }

    /** Sends what waits in the batch. Returns whether the system has taken everything, and nothing waits for windows. */
    public boolean flush() {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the connection, with GOAWAY where nothing waits in front of it; {@link Http2Listener#lost} is called with
     * this reason before this returns. Does nothing if it has ended.
     */
    public void close(String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void frame(ByteBuf in, int offset, int length) throws MalformedFrameException {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void malformed(String reason) {
        close("malformed frame: " + reason);
    }
}
