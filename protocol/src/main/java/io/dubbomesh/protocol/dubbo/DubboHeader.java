package io.dubbomesh.protocol.dubbo;

import io.netty.buffer.ByteBuf;

/**
 * The header in front of every Dubbo 2.x message, read and written in place (Dubbo's {@code ExchangeCodec}).
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------------------------------+-+-+-+---------+---------------+
 * |         Magic 0xDABB          |Q|T|E|  Serde  |    Status     |
 * +-------------------------------+-+-+-+---------+---------------+
 * |                      Request Id (64 bits)                     |
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                          Body Length                          |
 * +---------------------------------------------------------------+
 *  Q: request    T: two-way    E: event    all fields big-endian
 * </pre>
 * All offsets given to the methods are those of the header's first byte.
 */
public final class DubboHeader {
    public static final int MAGIC = 0xdabb;

    public static final int REQUEST = 0x80;
    public static final int TWO_WAY = 0x40;
    public static final int EVENT = 0x20;

    private static final int SERIALIZATION_MASK = 0x1f;

    private static final int FLAGS_OFFSET = Short.BYTES;
    private static final int STATUS_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    private static final int REQUEST_ID_OFFSET = STATUS_OFFSET + Byte.BYTES;
    private static final int BODY_LENGTH_OFFSET = REQUEST_ID_OFFSET + Long.BYTES;
    public static final int LENGTH = BODY_LENGTH_OFFSET + Integer.BYTES;

    private DubboHeader() {}

    /**
     * Appends a header; its body length is set later by {@link #bodyLength(ByteBuf, int, int)} where it is not known
     * yet.
     */
    public static void write(ByteBuf out, int flags, int status, long requestId, int bodyLength) {
        out.writeInt(MAGIC << 16 | (flags & 0xff) << 8 | status & 0xff);
        out.writeLong(requestId);
        out.writeInt(bodyLength);
    }

    public static int magic(ByteBuf in, int offset) {
        return in.getUnsignedShort(offset);
    }

    public static boolean isRequest(ByteBuf in, int offset) {
        return (in.getByte(offset + FLAGS_OFFSET) & REQUEST) != 0;
    }

    public static boolean isTwoWay(ByteBuf in, int offset) {
        return (in.getByte(offset + FLAGS_OFFSET) & TWO_WAY) != 0;
    }

    public static boolean isEvent(ByteBuf in, int offset) {
        return (in.getByte(offset + FLAGS_OFFSET) & EVENT) != 0;
    }

    public static int serialization(ByteBuf in, int offset) {
        return in.getByte(offset + FLAGS_OFFSET) & SERIALIZATION_MASK;
    }

    public static int status(ByteBuf in, int offset) {
        return in.getUnsignedByte(offset + STATUS_OFFSET);
    }

    public static long requestId(ByteBuf in, int offset) {
        return in.getLong(offset + REQUEST_ID_OFFSET);
    }

    /** Returns the number as it was sent: negative from a broken or hostile peer. */
    public static int bodyLength(ByteBuf in, int offset) {
        return in.getInt(offset + BODY_LENGTH_OFFSET);
    }

    public static void bodyLength(ByteBuf out, int offset, int bodyLength) {
        out.setInt(offset + BODY_LENGTH_OFFSET, bodyLength);
    }

    public static void flags(ByteBuf out, int offset, int flags) {
        out.setByte(offset + FLAGS_OFFSET, flags);
    }

    public static void status(ByteBuf out, int offset, int status) {
        out.setByte(offset + STATUS_OFFSET, status);
    }
}
