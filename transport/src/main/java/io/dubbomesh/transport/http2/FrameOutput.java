package io.dubbomesh.transport.http2;

import io.dubbomesh.transport.write.OutboundBatch;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Appends frames to the batch of a connection, each of them whole or, if that fails, not at all. */
final class FrameOutput {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final int ENABLE_PUSH_ID = 2;
    private static final int INITIAL_WINDOW_SIZE_ID = 4;
    private static final int MAX_HEADER_LIST_SIZE_ID = 6;
    private static final int SETTINGS = 3;
    private static final int MAX_DEBUG = 128;
    /** RFC 7541, 6.3: the dynamic table has no room from now on. */
    private static final int NO_TABLE = 0x20;

    private final OutboundBatch batch;
    /**
     * Whether the first block was written, which begins with {@link #NO_TABLE}. A peer that makes its table smaller
     * than the usual 4096 bytes refuses a block that does not say so (RFC 7541, 4.2); none can make it smaller than
     * that.
     */
    private boolean blockWritten;

    FrameOutput(OutboundBatch batch) {
        this.batch = batch;
    }

    /** Writes what a client sends first. */
    void preface(Http2Limits limits) {
        int settings = SETTINGS * PeerSettings.ENTRY_LENGTH;
        ByteBuf out = reserve(PREFACE.length + 2 * FrameHeader.LENGTH + settings + Integer.BYTES);
        out.writeBytes(PREFACE);
        FrameHeader.write(out, settings, FrameHeader.SETTINGS, 0, 0);
        out.writeShort(ENABLE_PUSH_ID).writeInt(0);
        out.writeShort(INITIAL_WINDOW_SIZE_ID).writeInt(limits.streamWindow());
        out.writeShort(MAX_HEADER_LIST_SIZE_ID).writeInt(limits.maxHeaderListSize());
        int increment = limits.connectionWindow() - Http2Limits.INITIAL_WINDOW;
        if (increment > 0) {
            windowUpdate(0, increment);
        }
    }

    private ByteBuf reserve(int bytes) {
        return batch.buffer().ensureWritable(bytes);
    }

    /**
     * Writes the header fields of a request, in as many frames as the peer's limit makes necessary. Returns the number
     * of the batch at which they were appended.
     */
    long headers(int streamId, ByteBuf in, int offset, int length, boolean endStream, int maxFrameSize) {
        int prefix = blockWritten ? 0 : 1;
        int rest = prefix + length;
        int frames = Math.max(1, (rest + maxFrameSize - 1) / maxFrameSize);
        ByteBuf out = reserve(rest + frames * FrameHeader.LENGTH);
        int payload = Math.min(rest, maxFrameSize);
        rest -= payload;
        int flags = (endStream ? FrameHeader.END_STREAM : 0) | (rest == 0 ? FrameHeader.END_HEADERS : 0);
        FrameHeader.write(out, payload, FrameHeader.HEADERS, flags, streamId);
        if (prefix > 0) {
            out.writeByte(NO_TABLE);
            blockWritten = true;
        }
        out.writeBytes(in, offset, payload - prefix);
        int at = offset + payload - prefix;
        while (rest > 0) {
            payload = Math.min(rest, maxFrameSize);
            rest -= payload;
            FrameHeader.write(
                    out, payload, FrameHeader.CONTINUATION, rest == 0 ? FrameHeader.END_HEADERS : 0, streamId);
            out.writeBytes(in, at, payload);
            at += payload;
        }
        return batch.number();
    }

    /** Returns the number of the batch at which the frame was appended. */
    long data(int streamId, ByteBuf in, int offset, int length, boolean endStream) {
        ByteBuf out = reserve(FrameHeader.LENGTH + length);
        FrameHeader.write(out, length, FrameHeader.DATA, endStream ? FrameHeader.END_STREAM : 0, streamId);
        out.writeBytes(in, offset, length);
        return batch.number();
    }

    /** @param flags {@link FrameHeader#ACK} to acknowledge those of the peer */
    void emptySettings(int flags) {
        FrameHeader.write(reserve(FrameHeader.LENGTH), 0, FrameHeader.SETTINGS, flags, 0);
    }

    /** Answers a PING. */
    void pong(long content) {
        ByteBuf out = reserve(FrameHeader.LENGTH + Long.BYTES);
        FrameHeader.write(out, Long.BYTES, FrameHeader.PING, FrameHeader.ACK, 0);
        out.writeLong(content);
    }

    void reset(int streamId, Http2Error error) {
        integer(FrameHeader.RST_STREAM, streamId, (int) error.code());
    }

    /** @param streamId 0 for the window of the connection */
    void windowUpdate(int streamId, int increment) {
        integer(FrameHeader.WINDOW_UPDATE, streamId, increment);
    }

    private void integer(int type, int streamId, int value) {
        ByteBuf out = reserve(FrameHeader.LENGTH + Integer.BYTES);
        FrameHeader.write(out, Integer.BYTES, type, 0, streamId);
        out.writeInt(value);
    }

    /** Writes a GOAWAY of which no stream of the peer was processed. */
    static void goAway(ByteBuf out, Http2Error error, String debug) {
        int length = Math.min(debug.length(), MAX_DEBUG);
        FrameHeader.write(out, 2 * Integer.BYTES + length, FrameHeader.GOAWAY, 0, 0);
        out.writeInt(0).writeInt((int) error.code());
        out.writeCharSequence(debug.substring(0, length), US_ASCII);
    }
}
