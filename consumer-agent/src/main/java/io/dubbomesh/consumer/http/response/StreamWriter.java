package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.text.Ascii;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Writes the pieces of a response whose length is not known before its end: each is a chunk (RFC 9112, section 7.1), or
 * for clients of HTTP/1.0 stands alone, and the end of the connection is that of the response.
 */
public final class StreamWriter {
    private static final byte[] CRLF = Ascii.bytes("\r\n");
    private static final byte[] LAST_CHUNK = Ascii.bytes("0\r\n\r\n");
    private static final byte[] DIGITS = Ascii.bytes("0123456789abcdef");
    private static final byte[] OK = Ascii.bytes("{\"status\":200,\"code\":\"OK\"}");

    private StreamWriter() {}

    /**
     * Returns whether content has line breaks, which both formats give another meaning. JSON has them between tokens
     * only.
     */
    public static boolean hasLineBreak(ByteBuf in, int offset, int length) {
        return in.forEachByte(offset, length, ByteProcessor.FIND_CRLF) >= 0;
    }

    /**
     * Appends what comes before the content of a piece, which may follow in buffers of its own.
     *
     * @param length of the content
     * @param end    whether the piece is the end of the stream
     */
    public static void begin(ByteBuf out, StreamFormat format, boolean chunked, int length, boolean end) {
        if (chunked) {
            writeHex(out, format.before(end).length + length + format.behind(end).length);
            out.writeBytes(CRLF);
        }
        out.writeBytes(format.before(end));
    }

    /** Appends what comes behind the content of a piece. */
    public static void end(ByteBuf out, StreamFormat format, boolean chunked, boolean end) {
        out.writeBytes(format.behind(end));
        if (chunked) {
            out.writeBytes(CRLF);
        }
    }

    /** Appends the content of a piece, on one line. */
    public static void writeContent(ByteBuf out, ByteBuf in, int offset, int length) {
        int start = out.writerIndex();
        out.writeBytes(in, offset, length);
        if (hasLineBreak(in, offset, length)) {
            for (int i = start; i < out.writerIndex(); i++) {
                if (out.getByte(i) == '\r' || out.getByte(i) == '\n') {
                    out.setByte(i, ' ');
                }
            }
        }
    }

    /** Appends a whole piece with a message. */
    public static void writeMessage(
            ByteBuf out, StreamFormat format, boolean chunked, ByteBuf in, int offset, int length) {
        begin(out, format, chunked, length, false);
        writeContent(out, in, offset, length);
        end(out, format, chunked, false);
    }

    /** Appends what keeps the connection open. */
    public static void writeHeartbeat(ByteBuf out, StreamFormat format, boolean chunked) {
        if (chunked) {
            writeHex(out, format.heartbeat().length);
            out.writeBytes(CRLF);
        }
        out.writeBytes(format.heartbeat());
        if (chunked) {
            out.writeBytes(CRLF);
        }
    }

    /**
     * Appends the end of a stream: its status, as a problem document where it has failed. A format that tells no status
     * has no end then, so that the client sees that the response was cut off.
     *
     * @param response whose content is not that of a message
     */
    public static void writeEnd(ByteBuf out, StreamFormat format, boolean chunked, Response response) {
        if (!format.hasEnd()) {
            writeLastChunk(out, chunked && response.outcome() == Outcome.OK);
            return;
        }
        if (response.outcome() == Outcome.OK) {
            begin(out, format, chunked, OK.length, true);
            out.writeBytes(OK);
        } else {
            begin(out, format, chunked, response.length(), true);
            writeContent(out, response.in(), response.offset(), response.length());
        }
        end(out, format, chunked, true);
        writeLastChunk(out, chunked);
    }

    /** Appends the end of the response without that of the stream, which is not waited for. */
    public static void writeLastChunk(ByteBuf out, boolean chunked) {
        if (chunked) {
            out.writeBytes(LAST_CHUNK);
        }
    }

    private static void writeHex(ByteBuf out, int value) {
        int shift = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
        for (shift = (shift + 3) / 4 * 4 - 4; shift >= 0; shift -= 4) {
            out.writeByte(DIGITS[value >>> shift & 0xf]);
        }
    }
}
