package io.dubbomesh.consumer.text;

import io.netty.buffer.ByteBuf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Looks at eight bytes at a time. Words are little-endian, so the first byte in memory is the lowest one; the marks
 * that a search leaves are the high bits of the bytes it found, and the <em>lowest</em> mark of a word is always a true
 * one (a borrow can leave a false one above it, never below).
 */
public final class Words {
    public static final long HIGH_BITS = 0x8080808080808080L;

    private static final long ONES = 0x0101010101010101L;
    private static final long SPACES = 0x20 * ONES;
    private static final long DELETES = 0x7f * ONES;
    private static final int SPACES_OF_INT = 0x20202020;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /** Returns the word of eight times this byte, for {@link #marks}. */
    public static long of(char ascii) {
        return ascii * ONES;
    }

    /** Marks the bytes of {@code word} that equal those of {@code pattern}. */
    public static long marks(long word, long pattern) {
        long zeros = word ^ pattern;
        return (zeros - ONES) & ~zeros & HIGH_BITS;
    }

    /** Returns the index, 0 to 7, of the lowest mark; 8 if there is none. */
    public static int firstMark(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }

    /**
     * Returns the index of the first control character (below 0x20, or DEL) in {@code in[at, end)}; {@code end} if
     * there is none.
     */
    public static int firstControl(ByteBuf in, int at, int end) {
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            long word = in.getLongLE(at);
            long marks = (word - SPACES) & ~word & HIGH_BITS | marks(word, DELETES);
            if (marks != 0) {
                return at + firstMark(marks);
            }
        }
        while (at < end && !isControl(in.getByte(at))) {
            at++;
        }
        return at;
    }

    private static boolean isControl(byte b) {
        return b >= 0 && b < ' ' || b == 0x7f;
    }

    /**
     * Returns the index of the first byte in {@code in[at, end)} that is one of the two; {@code end} if there is none.
     */
    public static int firstOf(ByteBuf in, int at, int end, char one, char other) {
        long ones = of(one);
        long others = of(other);
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            long word = in.getLongLE(at);
            long marks = marks(word, ones) | marks(word, others);
            if (marks != 0) {
                return at + firstMark(marks);
            }
        }
        while (at < end && in.getByte(at) != one && in.getByte(at) != other) {
            at++;
        }
        return at;
    }

    /** Returns whether these bytes stand in {@code in} at {@code at}; they must lie within it. */
    public static boolean equal(ByteBuf in, int at, byte[] bytes, int offset, int length) {
        int end = offset + length;
        if (length >= Long.BYTES) {
            for (; end - offset > Long.BYTES; offset += Long.BYTES, at += Long.BYTES) {
                if (in.getLongLE(at) != (long) LONGS.get(bytes, offset)) {
                    return false;
                }
            }
            return in.getLongLE(at - Long.BYTES + end - offset) == (long) LONGS.get(bytes, end - Long.BYTES);
        }
        for (; offset < end; offset++, at++) {
            if (in.getByte(at) != bytes[offset]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the text for {@link #equalInAnyCase}: each byte with the bit 0x20, which makes letters lower case. For
     * letters, digits and {@code -./_}.
     */
    public static byte[] fold(String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] |= ' ';
        }
        return bytes;
    }

    /**
     * Returns whether this text, in any case, stands in {@code in} at {@code at}; it must lie within it, and there must
     * be no control characters.
     *
     * @param folded a text from {@link #fold}
     */
    public static boolean equalInAnyCase(ByteBuf in, int at, byte[] folded) {
        int length = folded.length;
        int i = 0;
        if (length >= Long.BYTES) {
            for (; length - i > Long.BYTES; i += Long.BYTES) {
                if ((in.getLongLE(at + i) | SPACES) != (long) LONGS.get(folded, i)) {
                    return false;
                }
            }
            i = length - Long.BYTES;
            return (in.getLongLE(at + i) | SPACES) == (long) LONGS.get(folded, i);
        }
        if (length >= Integer.BYTES) {
            int last = length - Integer.BYTES;
            return (in.getIntLE(at) | SPACES_OF_INT) == (int) INTS.get(folded, 0)
                    && (in.getIntLE(at + last) | SPACES_OF_INT) == (int) INTS.get(folded, last);
        }
        for (; i < length; i++) {
            if ((in.getByte(at + i) | ' ') != folded[i]) {
                return false;
            }
        }
        return true;
    }
}
