package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The five names of a method, as DEFINE frames and requests with method id 0 have them: service, method, descriptor,
 * version, group, each with a 16-bit length, UTF-8.
 */
public final class MethodNames {
    private static final int FIELDS = 5;
    /** The average bytes of the ids of a table. */
    private static final int TABLE_BYTES_PER_ID = 1024;

    private MethodNames() {}

    /** Returns the names as bytes; throws IllegalArgumentException if one is longer than 65,535 bytes. */
    public static byte[] encode(MethodName name) {
        byte[][] fields = {
            name.service().getBytes(UTF_8),
            name.method().getBytes(UTF_8),
            name.descriptor().getBytes(UTF_8),
            name.version().getBytes(UTF_8),
            name.group().getBytes(UTF_8)
        };
        int length = 0;
        for (byte[] field : fields) {
            if (field.length > 0xffff) {
                throw new IllegalArgumentException("a name of " + field.length + " bytes (expected: at most 65535)");
            }
            length += Short.BYTES + field.length;
        }
        byte[] bytes = new byte[length];
        int at = 0;
        for (byte[] field : fields) {
            bytes[at++] = (byte) (field.length >> 8);
            bytes[at++] = (byte) field.length;
            System.arraycopy(field, 0, bytes, at, field.length);
            at += field.length;
        }
        return bytes;
    }

    /** Returns the bytes that all names which are defined on a link may take together; both ends count them. */
    public static long maxTableBytes(int tableSize) {
        return (long) tableSize * TABLE_BYTES_PER_ID;
    }

    /** Returns the number of bytes that the names at {@code offset} take. */
    public static int length(ByteBuf in, int offset, int end) throws MalformedFrameException {
        int at = offset;
        for (int i = 0; i < FIELDS; i++) {
            int next = end - at < Short.BYTES ? Integer.MAX_VALUE : at + Short.BYTES + in.getUnsignedShort(at);
            if (next > end) {
                throw new MalformedFrameException("names of a method: a field reaches beyond the body");
            }
            at = next;
        }
        return at - offset;
    }

    /** Names that are not UTF-8 are malformed: with replacements in them they could not be encoded again. */
    public static MethodName read(ByteBuf in, int offset, int end) throws MalformedFrameException {
        length(in, offset, end);
        String[] fields = new String[FIELDS];
        int at = offset;
        for (int i = 0; i < FIELDS; i++) {
            int length = in.getUnsignedShort(at);
            if (!ByteBufUtil.isText(in, at + Short.BYTES, length, UTF_8)) {
                throw new MalformedFrameException("names of a method: not UTF-8");
            }
            fields[i] = in.toString(at + Short.BYTES, length, UTF_8);
            at += Short.BYTES + length;
        }
        return new MethodName(fields[0], fields[1], fields[2], fields[3], fields[4]);
    }
}
