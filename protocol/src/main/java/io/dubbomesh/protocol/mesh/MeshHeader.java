package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/**
 * The header in front of every frame between the agents, read and written in place.
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------------------------------+---------------+---------------+
 * |         Magic 0xD3E5          |    Version    |     Type      |
 * +-------------------------------+---------------+---------------+
 * |     Status    |     Flags     |   Time (RESPONSE; otherwise 0)|
 * +---------------------------------------------------------------+
 * |                      Request Id (64 bits)                     |
 * |                                                               |
 * +---------------------------------------------------------------+
 * |   Method Id (DEFINE, REQUEST), Calls (RESPONSE); otherwise 0  |
 * +---------------------------------------------------------------+
 * |                          Body Length                          |
 * +---------------------------------------------------------------+
 *  all fields big-endian
 * </pre>
 * All offsets given to the methods are those of the header's first byte.
 */
public final class MeshHeader {
    public static final int MAGIC = 0xd3e5;
    public static final int VERSION = 1;

    private static final int VERSION_OFFSET = Short.BYTES;
    private static final int TYPE_OFFSET = VERSION_OFFSET + Byte.BYTES;
    private static final int STATUS_OFFSET = TYPE_OFFSET + Byte.BYTES;
    private static final int FLAGS_OFFSET = STATUS_OFFSET + Byte.BYTES;
    private static final int RESERVED_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    private static final int REQUEST_ID_OFFSET = RESERVED_OFFSET + Short.BYTES;
    private static final int METHOD_ID_OFFSET = REQUEST_ID_OFFSET + Long.BYTES;
    private static final int BODY_LENGTH_OFFSET = METHOD_ID_OFFSET + Integer.BYTES;
    public static final int LENGTH = BODY_LENGTH_OFFSET + Integer.BYTES;

    private MeshHeader() {}

    /**
     * Appends a header with the status 0 and, until it is set, the body length 0; nothing if the buffer cannot grow.
     */
    static void write(ByteBuf out, int type, int flags, long requestId, int methodId) {
        out.ensureWritable(LENGTH);
        out.writeInt(MAGIC << 16 | VERSION << 8 | type);
        out.writeInt((flags & 0xff) << 16);
        out.writeLong(requestId);
        out.writeInt(methodId);
        out.writeInt(0);
    }

    public static int magic(ByteBuf in, int offset) {
        return in.getUnsignedShort(offset);
    }

    public static int version(ByteBuf in, int offset) {
        return in.getUnsignedByte(offset + VERSION_OFFSET);
    }

    public static int type(ByteBuf in, int offset) {
        return in.getUnsignedByte(offset + TYPE_OFFSET);
    }

    public static int status(ByteBuf in, int offset) {
        return in.getUnsignedByte(offset + STATUS_OFFSET);
    }

    public static void status(ByteBuf out, int offset, int status) {
        out.setByte(offset + STATUS_OFFSET, status);
    }

    public static int flags(ByteBuf in, int offset) {
        return in.getUnsignedByte(offset + FLAGS_OFFSET);
    }

    public static void flags(ByteBuf out, int offset, int flags) {
        out.setByte(offset + FLAGS_OFFSET, flags);
    }

    public static int reserved(ByteBuf in, int offset) {
        return in.getUnsignedShort(offset + RESERVED_OFFSET);
    }

    /** Sets what {@link ReportedLoad} says in a RESPONSE. */
    static void load(ByteBuf out, int offset, int calls, int time) {
        out.setShort(offset + RESERVED_OFFSET, time);
        out.setInt(offset + METHOD_ID_OFFSET, calls);
    }

    /** Returns the calls at the provider that a RESPONSE reports, to be read by {@link ReportedLoad}. */
    public static int reportedCalls(ByteBuf in, int offset) {
        return in.getInt(offset + METHOD_ID_OFFSET);
    }

    /** Returns the time of a call that a RESPONSE reports, to be read by {@link ReportedLoad}; 0 if it reports none. */
    public static int reportedTime(ByteBuf in, int offset) {
        return reserved(in, offset);
    }

    public static long requestId(ByteBuf in, int offset) {
        return in.getLong(offset + REQUEST_ID_OFFSET);
    }

    public static int methodId(ByteBuf in, int offset) {
        return in.getInt(offset + METHOD_ID_OFFSET);
    }

    /**
     * Returns the bytes of the provider's window that a RESPONSE with {@link Flags#MORE} takes until its message is
     * consumed.
     */
    public static int windowBytes(ByteBuf in, int offset) {
        return in.getInt(offset + METHOD_ID_OFFSET);
    }

    /**
     * Returns the bytes of messages that a CREDIT says were taken, as they were sent: negative from a broken or hostile
     * peer.
     *
     * @throws MalformedFrameException if the frame at {@code offset} has no such body
     */
    public static int creditedBytes(ByteBuf in, int offset) throws MalformedFrameException {
        if (bodyLength(in, offset) != Integer.BYTES) {
            throw new MalformedFrameException(
                    "CREDIT: a body of " + bodyLength(in, offset) + " bytes (expected: " + Integer.BYTES + ')');
        }
        return in.getInt(offset + LENGTH);
    }

    /** Sets what {@link #windowBytes(ByteBuf, int)} returns. */
    public static void windowBytes(ByteBuf out, int offset, int bytes) {
        out.setInt(offset + METHOD_ID_OFFSET, bytes);
    }

    /** Returns the number as it was sent: negative from a broken or hostile peer. */
    public static int bodyLength(ByteBuf in, int offset) {
        return in.getInt(offset + BODY_LENGTH_OFFSET);
    }

    public static void bodyLength(ByteBuf out, int offset, int bodyLength) {
        out.setInt(offset + BODY_LENGTH_OFFSET, bodyLength);
    }
}
