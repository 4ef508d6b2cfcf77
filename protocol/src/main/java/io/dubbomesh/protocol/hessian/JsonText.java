package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;

/** The pieces of JSON, straight into a buffer. */
public final class JsonText {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES * 0x80;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final byte[] BASE64 = new byte[64];

    static {
        String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < BASE64.length; i++) {
            BASE64[i] = (byte) digits.charAt(i);
        }
    }

    private JsonText() {}

    /** The index of the first byte of {@code in[at, end)} that is not ASCII or is to be escaped, else {@code end}. */
    public static int plainEnd(ByteBuf in, int at, int end) {
        while (end - at >= Long.BYTES) {
            long bytes = in.getLong(at);
            long quotes = bytes ^ ONES * '"';
            long backslashes = bytes ^ ONES * '\\';
            // Taking 1 (or 0x20) from a byte borrows from its high bit if and only if it is less, as far as the first
            // such byte.
            long special = bytes | bytes - ONES * 0x20 | quotes - ONES | backslashes - ONES;
            if ((special & HIGH_BITS) != 0) {
                break;
            }
            at += Long.BYTES;
        }
        while (at < end && isPlain(in.getByte(at))) {
            at++;
        }
        return at;
    }

    private static boolean isPlain(byte b) {
        return b >= 0x20 && b != '"' && b != '\\';
    }

    /** Writes a string in quotes. */
    static void writeString(ByteBuf out, String text) {
        out.writeByte('"');
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            writeCharacter(out, character);
            i += Character.charCount(character);
        }
        out.writeByte('"');
    }

    /** Writes one character of a string: escaped where it has to be, a lone surrogate as U+FFFD. */
    public static void writeCharacter(ByteBuf out, int character) {
        if (character < 0x80 && !isPlain((byte) character)) {
            writeEscape(out, character);
        } else {
            writeUtf8(out, character);
        }
    }

    private static void writeEscape(ByteBuf out, int c) {
        out.writeByte('\\');
        switch (c) {
            case '"', '\\' -> out.writeByte(c);
            case '\n' -> out.writeByte('n');
            case '\r' -> out.writeByte('r');
            case '\t' -> out.writeByte('t');
            case '\b' -> out.writeByte('b');
            case '\f' -> out.writeByte('f');
            default ->
                out.writeInt('u' << 24 | '0' << 16 | '0' << 8 | HEX[c >> 4]).writeByte(HEX[c & 0xf]);
        }
    }

    /** Writes one char of a string, escaped if it is not ASCII. */
    public static void writeAsciiChar(ByteBuf out, char c) {
        if (c < 0x80) {
            writeCharacter(out, c);
        } else {
            out.writeShort('\\' << 8 | 'u');
            out.writeShort(HEX[c >> 12] << 8 | HEX[c >> 8 & 0xf]);
            out.writeShort(HEX[c >> 4 & 0xf] << 8 | HEX[c & 0xf]);
        }
    }

    /** @throws HessianException if {@code in[offset, offset + length)} is not UTF-8 */
    public static void requireUtf8(ByteBuf in, int offset, int length) throws HessianException {
        HessianText.chars(in, offset, offset + length);
    }

    /** Writes one character, a lone surrogate as U+FFFD. */
    public static void writeUtf8(ByteBuf out, int character) {
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

    /** Writes decimal digits, as {@code Long.toString} would. */
    public static void writeLong(ByteBuf out, long value) {
        if (value < 0) {
            out.writeByte('-');
        }
        // Counted below zero, where Long.MIN_VALUE has no counterpart above.
        long rest = value < 0 ? value : -value;
        int digits = 1;
        for (long more = rest / 10; more != 0; more /= 10) {
            digits++;
        }
        out.ensureWritable(digits);
        int begin = out.writerIndex();
        for (int i = begin + digits - 1; i >= begin; i--) {
            long shorter = rest / 10;
            out.setByte(i, '0' + (int) (shorter * 10 - rest));
            rest = shorter;
        }
        out.writerIndex(begin + digits);
    }

    /** Writes {@code count} bytes, one to three, the first of them highest in {@code bits}, as four base64 digits. */
    public static void writeBase64(ByteBuf out, int bits, int count) {
        int left = bits << (3 - count) * 8;
        out.writeByte(BASE64[left >> 18]);
        out.writeByte(BASE64[left >> 12 & 0x3f]);
        out.writeByte(count > 1 ? BASE64[left >> 6 & 0x3f] : '=');
        out.writeByte(count > 2 ? BASE64[left & 0x3f] : '=');
    }

    /** Whether {@code in[at, end)} is wholly one JSON number. */
    public static boolean isNumber(ByteBuf in, int at, int end) {
        int i = at;
        if (i < end && in.getByte(i) == '-') {
            i++;
        }
        int whole = i;
        i = digitsEnd(in, i, end);
        if (i == whole || i - whole > 1 && in.getByte(whole) == '0') {
            return false;
        }
        if (i < end && in.getByte(i) == '.') {
            int fraction = i + 1;
            i = digitsEnd(in, fraction, end);
            if (i == fraction) {
                return false;
            }
        }
        if (i < end && (in.getByte(i) | 0x20) == 'e') {
            i++;
            if (i < end && (in.getByte(i) == '+' || in.getByte(i) == '-')) {
                i++;
            }
            int exponent = i;
            i = digitsEnd(in, exponent, end);
            if (i == exponent) {
                return false;
            }
        }
        return i == end;
    }

    private static int digitsEnd(ByteBuf in, int at, int end) {
        int i = at;
        while (i < end && in.getByte(i) >= '0' && in.getByte(i) <= '9') {
            i++;
        }
        return i;
    }

    public static void writeAscii(ByteBuf out, String text) {
        out.ensureWritable(text.length());
        for (int i = 0; i < text.length(); i++) {
            out.writeByte(text.charAt(i));
        }
    }
}
