package io.dubbomesh.protocol.value;

import io.netty.buffer.ByteBuf;

/** UTF-8 in buffers: finds the end of ASCII, checks, counts chars, writes. */
public final class Utf8 {
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /** Returns the index of the first byte of {@code in[at, end)} that is not ASCII, else {@code end}. */
    public static int asciiEnd(ByteBuf in, int at, int end) {
        while (end - at >= Long.BYTES) {
            long high = in.getLong(at) & HIGH_BITS;
            if (high != 0) {
                return at + Long.numberOfLeadingZeros(high) / Byte.SIZE;
            }
            at += Long.BYTES;
        }
        if (at < end && in.capacity() - at >= Long.BYTES) {
            // What is behind the end does not count.
            long high = in.getLong(at) & HIGH_BITS & -1L << (Long.BYTES - (end - at)) * Byte.SIZE;
            return high == 0 ? end : at + Long.numberOfLeadingZeros(high) / Byte.SIZE;
        }
        while (at < end && in.getByte(at) >= 0) {
            at++;
        }
        return at;
    }

    /** @throws MalformedValueException if {@code in[offset, offset + length)} is not UTF-8 */
    public static void require(ByteBuf in, int offset, int length) throws MalformedValueException {
        chars(in, offset, offset + length);
    }

    /**
     * Returns the number of chars of the UTF-8 in {@code in[at, end)}.
     *
     * @throws MalformedValueException if it is not UTF-8
     */
    public static int chars(ByteBuf in, int at, int end) throws MalformedValueException {
        int chars = 0;
        while (at < end) {
            int ascii = asciiEnd(in, at, end);
            chars += ascii - at;
            at = ascii;
            if (at < end) {
                int size = checkedSize(in, at, end);
                chars += size == 4 ? 2 : 1;
                at += size;
            }
        }
        return chars;
    }

    /** Returns the size of the character at {@code at}, which begins with no ASCII byte. */
    private static int checkedSize(ByteBuf in, int at, int end) throws MalformedValueException {
        int first = in.getUnsignedByte(at);
        int size = size((byte) first);
        if (first < 0xc2 || first > 0xf4 || end - at < size) {
            throw notUtf8();
        }
        for (int i = 1; i < size; i++) {
            if ((in.getByte(at + i) & 0xc0) != 0x80) {
                throw notUtf8();
            }
        }
        int second = in.getUnsignedByte(at + 1);
        boolean overlong = first == 0xe0 && second < 0xa0 || first == 0xf0 && second < 0x90;
        boolean surrogate = first == 0xed && second >= 0xa0;
        if (overlong || surrogate || first == 0xf4 && second >= 0x90) {
            throw notUtf8();
        }
        return size;
    }

    private static MalformedValueException notUtf8() {
        return new MalformedValueException("text that is not UTF-8");
    }

    /** Returns the number of bytes of a character that begins with this one. */
    public static int size(byte first) {
        if (first >= 0) {
            return 1;
        }
        return first < (byte) 0xe0 ? 2 : first < (byte) 0xf0 ? 3 : 4;
    }

    /** Writes one character, a lone surrogate as U+FFFD. */
    public static void write(ByteBuf out, int character) {
        int c = Character.MIN_SURROGATE <= character && character <= Character.MAX_SURROGATE ? 0xfffd : character;
        if (c < 0x80) {
            out.writeByte(c);
        } else if (c < 0x800) {
            out.writeShort((0xc0 | c >> 6) << 8 | 0x80 | c & 0x3f);
        } else if (c < 0x10000) {
            out.writeMedium((0xe0 | c >> 12) << 16 | (0x80 | c >> 6 & 0x3f) << 8 | 0x80 | c & 0x3f);
        } else {
            out.writeShort((0xf0 | c >> 18) << 8 | 0x80 | c >> 12 & 0x3f);
            out.writeShort((0x80 | c >> 6 & 0x3f) << 8 | 0x80 | c & 0x3f);
        }
    }
}
