package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/**
 * The first frame of each side: a count and the versions it speaks (a byte each), its limit on calls in service, the
 * number of method ids it lets the peer define, and credentials with a 16-bit length. After them, from an agent that
 * has them: the id of the agent, and the features that it knows.
 *
 * @param version     the highest version that the sender speaks and this agent knows; 0 if they have none in common
 * @param limit       calls that the sender serves at once; 0 from a side that serves none
 * @param tableSize   method ids that the peer may define on this connection
 * @param agentId the same on all connections of a consumer agent, chosen at random at its start; 0 if not said, and of
 *     a provider agent
 * @param features    what the sender knows beyond what every agent knows
 */
public record Hello(int version, int limit, int tableSize, HelloCredentials credentials, long agentId, int features) {
    /** The sender takes LIMIT frames. */
    public static final int TAKES_LIMIT = 0x01;
    /** The sender answers REQUESTs that are TIMED. */
    public static final int TELLS_TIMING = 0x02;

    /** The sender takes REQUESTs back for services that the peer does not serve, and sends them elsewhere. */
    public static final int TAKES_UNSERVED = 0x04;
    /** The sender takes the {@link ReportedLoad} of the provider with each RESPONSE. */
    public static final int TAKES_LOAD = 0x08;
    /** The sender takes arguments by name: the flag {@link Flags#OBJECT} of a REQUEST. */
    public static final int TAKES_NAMES = 0x10;
    /**
     * The sender takes streams: a consumer agent RESPONSEs with {@link Flags#MORE}, a provider agent REQUESTs with
     * {@link Flags#STREAM} and the frames CREDIT and CANCEL.
     */
    public static final int TAKES_STREAMS = 0x20;

    /** The longest body that a HELLO of this version can have. */
    public static final int MAX_BODY_LENGTH = 1 + 255 + 2 * Integer.BYTES + Short.BYTES + HelloCredentials.MAX_LENGTH;

    /** Makes a HELLO with neither an id nor features. */
    public Hello(int version, int limit, int tableSize, HelloCredentials credentials) {
        this(version, limit, tableSize, credentials, 0, 0);
    }

    /** Appends a body that offers {@link MeshHeader#VERSION}. */
    void writeBody(ByteBuf out) {
        out.writeByte(1).writeByte(MeshHeader.VERSION);
        out.writeInt(limit).writeInt(tableSize);
        credentials.write(out);
        if (agentId != 0 || features != 0) {
            out.writeLong(agentId).writeInt(features);
        }
    }

    /** Reads the frame at {@code offset}; what follows the features is for later versions and ignored. */
    public static Hello read(ByteBuf in, int offset) throws MalformedFrameException {
        int at = offset + MeshHeader.LENGTH;
        int end = at + MeshHeader.bodyLength(in, offset);
        require(end - at >= 1);
        int count = in.getUnsignedByte(at++);
        require(end - at >= count + 2 * Integer.BYTES + Short.BYTES);
        int version = 0;
        for (int i = 0; i < count; i++) {
            if (in.getUnsignedByte(at + i) == MeshHeader.VERSION) {
                version = MeshHeader.VERSION;
            }
        }
        at += count;
        int limit = in.getInt(at);
        int tableSize = in.getInt(at + Integer.BYTES);
        at += 2 * Integer.BYTES;
        int length = in.getUnsignedShort(at);
        at += Short.BYTES;
        require(length <= HelloCredentials.MAX_LENGTH && end - at >= length);
        if (limit < 0 || tableSize < 0) {
            throw new MalformedFrameException(
                    "HELLO: limit " + limit + ", table size " + tableSize + " (expected: 0 or more)");
        }
        HelloCredentials credentials = HelloCredentials.read(in, at, length);
        at += length;
        if (end - at < Long.BYTES + Integer.BYTES) {
            return new Hello(version, limit, tableSize, credentials);
        }
        return new Hello(version, limit, tableSize, credentials, in.getLong(at), in.getInt(at + Long.BYTES));
    }

    private static void require(boolean longEnough) throws MalformedFrameException {
        if (!longEnough) {
            throw new MalformedFrameException("HELLO: the body is shorter than its fields");
        }
    }
}
