package io.dubbomesh.transport.http2;

import io.netty.buffer.ByteBuf;

/**
 * The header in front of every HTTP/2 frame (RFC 9113, 4.1), read and written in place.
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-----------------------------------------------+---------------+
 * |                 Length (24 bits)              |     Type      |
 * +---------------+-+-----------------------------+---------------+
 * |     Flags     |R|             Stream Id (31 bits)             |
 * +---------------+-+-----------------------------+---------------+
 * |                               |  Length bytes of payload ...
 * +-------------------------------+
 *  R: sent as 0, ignored when received    all fields big-endian
 * </pre>
 */
final class FrameHeader {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 0x1;
    /** The flag of SETTINGS and PING that acknowledge one. */
    static final int ACK = 0x1;

    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int WITH_PRIORITY = 0x20;

    /** The bit in front of ids, increments and the like. */
    static final int RESERVED_BIT = 0x8000_0000;

    private static final int TYPE_OFFSET = 3;
    private static final int FLAGS_OFFSET = TYPE_OFFSET + Byte.BYTES;
    private static final int STREAM_ID_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    static final int LENGTH = STREAM_ID_OFFSET + Integer.BYTES;

    private FrameHeader() {}

    static int payloadLength(ByteBuf in, int offset) {
        return in.getUnsignedMedium(offset);
    }

    static int type(ByteBuf in, int offset) {
        return in.getUnsignedByte(offset + TYPE_OFFSET);
    }

    static int flags(ByteBuf in, int offset) {
        return in.getUnsignedByte(offset + FLAGS_OFFSET);
    }

    static int streamId(ByteBuf in, int offset) {
        return in.getInt(offset + STREAM_ID_OFFSET) & ~RESERVED_BIT;
    }

    static void write(ByteBuf out, int payloadLength, int type, int flags, int streamId) {
        out.writeMedium(payloadLength).writeByte(type).writeByte(flags).writeInt(streamId);
    }

    /** Returns the name of a type, for messages. */
    static String name(int type) {
        return switch (type) {
            case DATA -> "DATA";
            case HEADERS -> "HEADERS";
            case PRIORITY -> "PRIORITY";
            case RST_STREAM -> "RST_STREAM";
            case SETTINGS -> "SETTINGS";
            case PUSH_PROMISE -> "PUSH_PROMISE";
            case PING -> "PING";
            case GOAWAY -> "GOAWAY";
            case WINDOW_UPDATE -> "WINDOW_UPDATE";
            case CONTINUATION -> "CONTINUATION";
            default -> "a frame of type " + type;
        };
    }
}
