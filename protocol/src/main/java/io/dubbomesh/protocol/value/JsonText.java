package io.dubbomesh.protocol.value;

import io.netty.buffer.ByteBuf;

/** Writes parts of JSON to a buffer. */
public final class JsonText {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES * 0x80;
    private static final long ZEROS = ONES * '0';
    private static final long BLANKS = ONES * ' ';
    private static final long EIGHT_DIGITS = 100_000_000;
    /** The length of a backslash, a u and four digits. */
    private static final int ESCAPED_UNIT = 6;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final byte[] BASE64 = new byte[64];

    static {
        String digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < BASE64.length; i++) {
            BASE64[i] = (byte) digits.charAt(i);
        }
    }

    private JsonText() {}

    /**
     * Returns the index of the first byte of {@code in[at, end)} that is not ASCII or is to be escaped, else {@code
     * end}.
     */
    public static int plainEnd(ByteBuf in, int at, int end) {
        while (end - at >= Long.BYTES && isPlain(in.getLong(at))) {
            at += Long.BYTES;
        }
        while (at < end && isPlain(in.getByte(at))) {
            at++;
        }
        return at;
    }

    /**
     * Copies {@code in[at, end)} to the index {@code to} if all of it is ASCII that is not to be escaped; faster than
     * {@link #plainEnd} and {@code setBytes} for texts of usual length.
     *
     * @param out has room for eight bytes more than are copied, which may be overwritten
     * @return whether it was copied
     */
    public static boolean copyPlain(ByteBuf out, int to, ByteBuf in, int at, int end) {
        for (; end - at >= Long.BYTES; at += Long.BYTES, to += Long.BYTES) {
            long bytes = in.getLong(at);
            if (!isPlain(bytes)) {
                return false;
            }
            out.setLong(to, bytes);
        }
        int rest = end - at;
        if (rest > 0 && in.capacity() - at >= Long.BYTES) {
            // What is behind the end is copied too, but not checked.
            long bytes = in.getLong(at);
            out.setLong(to, bytes);
            return isPlain(bytes >>> (Long.BYTES - rest) * Byte.SIZE | BLANKS << rest * Byte.SIZE);
        }
        for (; at < end; at++, to++) {
            byte b = in.getByte(at);
            if (!isPlain(b)) {
                return false;
            }
            out.setByte(to, b);
        }
        return true;
    }

    private static boolean isPlain(long bytes) {
        long quotes = bytes ^ ONES * '"';
        long backslashes = bytes ^ ONES * '\\';
        // Taking 1 (or 0x20) from a byte borrows from its high bit if and only if it is less, as far as the first such
        // byte.
        long special = bytes | bytes - ONES * 0x20 | quotes - ONES | backslashes - ONES;
        return (special & HIGH_BITS) == 0;
    }

    private static boolean isPlain(byte b) {
        return b >= 0x20 && b != '"' && b != '\\';
    }

    /** Writes a string in quotes. */
    public static void writeString(ByteBuf out, String text) {
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
            Utf8.write(out, character);
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

    /**
     * Replaces the escapes of surrogates that have no other half by that of U+FFFD, within a valid string, as strict
     * readers of JSON refuse them (RFC 8259, section 8.2).
     */
    static void replaceLoneSurrogates(ByteBuf json, int at, int length) {
        int end = at + length;
        int high = -1;
        while (at < end) {
            if (json.getByte(at) != '\\') {
                high = replace(json, high);
                at++;
            } else if (json.getByte(at + 1) != 'u') {
                high = replace(json, high);
                at += 2;
            } else {
                char unit = unit(json, at + 2);
                if (Character.isLowSurrogate(unit) && high >= 0) {
                    high = -1;
                } else {
                    high = replace(json, high);
                    if (Character.isHighSurrogate(unit)) {
                        high = at;
                    } else if (Character.isLowSurrogate(unit)) {
                        replace(json, at);
                    }
                }
                at += ESCAPED_UNIT;
            }
        }
    }

    /** The escape at {@code at}, unless that is negative. Returns -1. */
    private static int replace(ByteBuf json, int at) {
        if (at >= 0) {
            json.setInt(at + 2, 'f' << 24 | 'f' << 16 | 'f' << 8 | 'd');
        }
        return -1;
    }

    private static char unit(ByteBuf json, int at) {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            unit = unit << 4 | Character.digit(json.getByte(at + i), 16);
        }
        return (char) unit;
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

    public static void writeNull(ByteBuf out) {
        out.writeInt('n' << 24 | 'u' << 16 | 'l' << 8 | 'l');
    }

    public static void writeBoolean(ByteBuf out, boolean value) {
        if (value) {
            out.writeInt('t' << 24 | 'r' << 16 | 'u' << 8 | 'e');
        } else {
            out.writeInt('f' << 24 | 'a' << 16 | 'l' << 8 | 's').writeByte('e');
        }
    }

    /** Writes decimal digits, as {@code Long.toString} would. */
    public static void writeLong(ByteBuf out, long value) {
        if (value < 0) {
            out.writeByte('-');
        }
        // Parts, as Long.MIN_VALUE has no counterpart above zero.
        long high = Math.abs(value / EIGHT_DIGITS);
        long low = Math.abs(value % EIGHT_DIGITS);
        if (high == 0) {
            writeUpToEightDigits(out, low);
            return;
        }
        if (high < EIGHT_DIGITS) {
            writeUpToEightDigits(out, high);
        } else {
            writeUpToEightDigits(out, high / EIGHT_DIGITS);
            out.writeLongLE(digits(high % EIGHT_DIGITS) | ZEROS);
        }
        out.writeLongLE(digits(low) | ZEROS);
    }

    private static void writeUpToEightDigits(ByteBuf out, long value) {
        if (value < 10) {
            out.writeByte('0' + (int) value);
            return;
        }
        long digits = digits(value);
        int leadingZeros = Long.numberOfTrailingZeros(digits) / Byte.SIZE;
        out.ensureWritable(Long.BYTES);
        int begin = out.writerIndex();
        out.setLongLE(begin, (digits | ZEROS) >>> leadingZeros * Byte.SIZE);
        out.writerIndex(begin + Long.BYTES - leadingZeros);
    }

    /**
     * Returns the eight decimal digits of {@code value}, a byte each, the first one lowest. Both halves are divided by
     * 100 at once, and then all four quarters by 10, multiplying by what is close enough to 1/100 and 1/10; half as
     * long as digit by digit.
     */
    private static long digits(long value) {
        long halves = value / 10_000 | value % 10_000 << 32;
        long hundreds = halves * 10_486 >>> 20 & 0x7f_0000_007fL;
        long quarters = hundreds | halves - 100 * hundreds << 16;
        long tens = quarters * 103 >>> 10 & 0xf_000f_000f_000fL;
        return tens | quarters - 10 * tens << 8;
    }

    /** Writes thousandths as {@code Double.toString} would write the number. */
    public static void writeMills(ByteBuf out, int mills) {
        if (mills < 0) {
            out.writeByte('-');
        }
        writeUpToEightDigits(out, Math.abs(mills / 1000));
        out.writeByte('.');
        int fraction = Math.abs(mills % 1000);
        out.writeByte('0' + fraction / 100);
        if (fraction % 100 != 0) {
            out.writeByte('0' + fraction / 10 % 10);
            if (fraction % 10 != 0) {
                out.writeByte('0' + fraction % 10);
            }
        }
    }

    /** Writes {@code count} bytes, one to three, the first of them highest in {@code bits}, as four base64 digits. */
    public static void writeBase64(ByteBuf out, int bits, int count) {
        int left = bits << (3 - count) * 8;
        out.writeByte(BASE64[left >> 18]);
        out.writeByte(BASE64[left >> 12 & 0x3f]);
        out.writeByte(count > 1 ? BASE64[left >> 6 & 0x3f] : '=');
        out.writeByte(count > 2 ? BASE64[left & 0x3f] : '=');
    }

    /** Returns whether {@code in[at, end)} is wholly one JSON number. */
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
        while (i < end && (in.getByte(i) - '0' & 0xff) < 10) {
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
