package io.dubbomesh.consumer.text;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.util.Arrays;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Percent-encoded text, as in forms, query strings and the values of attachment headers. */
public final class PercentText {
    /**
     * The result of {@link #decode} for a valid text; any other text that it returns is the reason, fit for a client.
     */
    public static final String FINE = null;

    public static final String BROKEN_ESCAPE = "a % without two hexadecimal digits";
    public static final String NOT_UTF_8 = "not UTF-8";

    private static final byte[] HEX = new byte[256];

    static {
        Arrays.fill(HEX, (byte) -1);
        for (int digit = 0; digit < 16; digit++) {
            HEX[Character.toLowerCase(Character.forDigit(digit, 16))] = (byte) digit;
            HEX[Character.toUpperCase(Character.forDigit(digit, 16))] = (byte) digit;
        }
    }

    private PercentText() {}

    /** Returns the value of a hexadecimal digit, negative for another character. */
    public static int hex(byte digit) {
        return HEX[digit & 0xff];
    }

    /**
     * Returns the byte that is escaped at {@code at}; negative if no {@code %} with two hexadecimal digits stands
     * there, before {@code end}.
     */
    public static int escaped(ByteBuf in, int at, int end) {
        return end - at < 3 || in.getByte(at) != '%' ? -1 : hex(in.getByte(at + 1)) << 4 | hex(in.getByte(at + 2));
    }

    /**
     * Appends the text {@code in[at, end)} in plain UTF-8, at most as many bytes as it has. On failure
     * {@code out.writerIndex()} is where it was.
     *
     * @param space the character that stands for a space: {@code +} in forms, {@code %} where none does
     * @return {@link #FINE}, or why not
     */
    public static String decode(ByteBuf in, int at, int end, ByteBuf out, char space) {
        out.ensureWritable(end - at);
        int start = out.writerIndex();
        int to = start;
        long seen = 0;
        long escapes = Words.of('%');
        long spaces = Words.of(space);
        while (at < end) {
            if (end - at >= Long.BYTES) {
                // Written whole and blindly: what is left of out is never less than what is left of in.
                long word = in.getLongLE(at);
                out.setLongLE(to, word);
                seen |= word;
                int plain = Words.firstMark(Words.marks(word, escapes) | Words.marks(word, spaces));
                at += plain;
                to += plain;
                if (plain == Long.BYTES) {
                    continue;
                }
            }
            byte b = in.getByte(at);
            if (b == '%') {
                int value = end - at < 3 ? -1 : hex(in.getByte(at + 1)) << 4 | hex(in.getByte(at + 2));
                if (value < 0) {
                    return BROKEN_ESCAPE;
                }
                b = (byte) value;
                at += 2;
            } else if (b == space) {
                b = ' ';
            }
            seen |= b;
            out.setByte(to++, b);
            at++;
        }
        out.writerIndex(to);
        if ((seen & Words.HIGH_BITS) != 0 && !ByteBufUtil.isText(out, start, to - start, UTF_8)) {
            out.writerIndex(start);
            return NOT_UTF_8;
        }
        return FINE;
    }
}
