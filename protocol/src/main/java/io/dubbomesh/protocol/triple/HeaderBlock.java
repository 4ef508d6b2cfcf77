package io.dubbomesh.protocol.triple;

import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Appends header fields in HPACK (RFC 7541) that need no state of a connection, so that a block can be made before it
 * is known on which connection it is sent: literals without indexing, neither name nor value in Huffman's code.
 * <pre>
 *   0   1   2   3   4   5   6   7
 * +---+---+---+---+---+---+---+---+
 * | 0 | 0 | 0 | N | index or 0    |  N: never indexed, also by others; index: of the name in the static table
 * +---+---+-----------------------+
 * | 0 |     Name Length (7+)      |  where the index is 0
 * +---+---------------------------+
 * |          Name String          |
 * +---+---------------------------+
 * | 0 |     Value Length (7+)     |
 * +---+---------------------------+
 * |         Value String          |
 * +-------------------------------+
 * </pre>
 */
public final class HeaderBlock {
    /** Fields of the static table (RFC 7541, appendix A). */
    public static final int METHOD_POST = 3;

    public static final int SCHEME_HTTP = 6;
    public static final int SCHEME_HTTPS = 7;
    /** Names of the static table. */
    public static final int AUTHORITY = 1;

    public static final int PATH = 4;
    public static final int CONTENT_TYPE = 31;

    private static final int INDEXED = 0x80;
    private static final int NEVER_INDEXED = 0x10;
    private static final int NAME_PREFIX = 0x0f;
    private static final int LENGTH_PREFIX = 0x7f;
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7f;
    private static final int DECIMAL = 10;

    private HeaderBlock() {}

    /** Appends a field of the static table. */
    public static void indexed(ByteBuf out, int index) {
        out.writeByte(INDEXED | index);
    }

    /** Appends a field whose name is in the static table. */
    public static void field(ByteBuf out, int nameIndex, byte[] value) {
        integer(out, 0, NAME_PREFIX, nameIndex);
        integer(out, 0, LENGTH_PREFIX, value.length);
        out.writeBytes(value);
    }

    /** @param name in lower case */
    public static void field(ByteBuf out, byte[] name, byte[] value) {
        name(out, 0, name);
        integer(out, 0, LENGTH_PREFIX, value.length);
        out.writeBytes(value);
    }

    /** Appends a field that no proxy may keep in its table. */
    public static void secret(ByteBuf out, byte[] name, byte[] value) {
        name(out, NEVER_INDEXED, name);
        integer(out, 0, LENGTH_PREFIX, value.length);
        out.writeBytes(value);
    }

    /**
     * Appends a field whose value is a number in decimal notation.
     *
     * @param number not negative
     * @param unit   a letter behind it; 0 for none
     */
    public static void field(ByteBuf out, byte[] name, long number, int unit) {
        name(out, 0, name);
        int digits = digits(number);
        out.writeByte(unit == 0 ? digits : digits + 1);
        int at = out.writerIndex();
        out.writeZero(digits);
        long rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            out.setByte(i, (int) ('0' + rest % DECIMAL));
            rest /= DECIMAL;
        }
        if (unit != 0) {
            out.writeByte(unit);
        }
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number / DECIMAL; rest > 0; rest /= DECIMAL) {
            digits++;
        }
        return digits;
    }

    private static void name(ByteBuf out, int representation, byte[] name) {
        out.writeByte(representation);
        integer(out, 0, LENGTH_PREFIX, name.length);
        out.writeBytes(name);
    }

    /** Appends an integer whose first byte has other bits in front of the prefix (RFC 7541, section 5.1). */
    private static void integer(ByteBuf out, int others, int prefix, int value) {
        if (value < prefix) {
            out.writeByte(others | value);
            return;
        }
        out.writeByte(others | prefix);
        int rest = value - prefix;
        while (rest > GROUP) {
            out.writeByte(rest & GROUP | INDEXED);
            rest >>>= GROUP_BITS;
        }
        out.writeByte(rest);
    }

    /** Returns the bytes of a name or a value; what is not Latin-1, or a control character, becomes a question mark. */
    public static byte[] bytes(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] >= 0 && bytes[i] < ' ' || bytes[i] == Byte.MAX_VALUE) {
                bytes[i] = '?';
            }
        }
        return bytes;
    }
}
