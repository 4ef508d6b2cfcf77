package io.dubbomesh.protocol.jsonb;

import io.netty.buffer.ByteBuf;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Appends scalars, each in its shortest form. */
final class Scalars {
    private static final long HIGH_BITS = 0x8080808080808080L;
    /** The first byte in UTF-8 of a character that takes more than a byte in ISO 8859-1. */
    private static final int MIN_WIDE = 0xc4;

    private Scalars() {}

    static void writeInt(ByteBuf out, int value) {
        if (-0x10 <= value && value <= 0x2f) {
            out.writeByte(value);
        } else if (-0x800 <= value && value <= 0x7ff) {
            out.writeShort((JsonbTag.INT_BYTE_ZERO << 8) + value);
        } else if (-0x40000 <= value && value <= 0x3ffff) {
            out.writeMedium((JsonbTag.INT_SHORT_ZERO << 16) + value);
        } else {
            out.writeByte(JsonbTag.INT).writeInt(value);
        }
    }

    static void writeLong(ByteBuf out, long value) {
        if (-8 <= value && value <= 15) {
            out.writeByte(JsonbTag.LONG_NUM_ZERO + (int) value);
        } else if (-0x800 <= value && value <= 0x7ff) {
            out.writeShort((JsonbTag.LONG_BYTE_ZERO << 8) + (int) value);
        } else if (-0x40000 <= value && value <= 0x3ffff) {
            out.writeMedium((JsonbTag.LONG_SHORT_ZERO << 16) + (int) value);
        } else if (value == (int) value) {
            out.writeByte(JsonbTag.LONG_INT).writeInt((int) value);
        } else {
            out.writeByte(JsonbTag.LONG).writeLong(value);
        }
    }

    static void writeDouble(ByteBuf out, double value) {
        int whole = (int) value;
        // -0.0 does not count as a whole number: its sign would be lost.
        if (whole != value || Double.doubleToRawLongBits(value) == Long.MIN_VALUE) {
            out.writeByte(JsonbTag.DOUBLE).writeDouble(value);
        } else if (whole == 0 || whole == 1) {
            out.writeByte(JsonbTag.DOUBLE_0 + whole);
        } else {
            out.writeByte(JsonbTag.DOUBLE_LONG);
            writeLong(out, whole);
        }
    }

    static void writeBigInteger(ByteBuf out, BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            out.writeByte(JsonbTag.BIG_INTEGER_LONG);
            writeLong(out, value.longValue());
            return;
        }
        byte[] bytes = value.toByteArray();
        out.writeByte(JsonbTag.BIG_INTEGER);
        writeInt(out, bytes.length);
        out.writeBytes(bytes);
    }

    static void writeBigDecimal(ByteBuf out, BigDecimal value) {
        BigInteger unscaled = value.unscaledValue();
        if (value.scale() == 0 && unscaled.bitLength() < Long.SIZE) {
            out.writeByte(JsonbTag.DECIMAL_LONG);
            writeLong(out, unscaled.longValue());
        } else {
            out.writeByte(JsonbTag.DECIMAL);
            writeInt(out, value.scale());
            writeBigInteger(out, unscaled);
        }
    }

    static void writeDate(ByteBuf out, long epochMs) {
        long seconds = epochMs / 1000;
        if (seconds * 1000 == epochMs && seconds == (int) seconds) {
            out.writeByte(JsonbTag.TIMESTAMP_SECONDS).writeInt((int) seconds);
        } else if (epochMs % 60_000 == 0 && epochMs / 60_000 == (int) (epochMs / 60_000)) {
            out.writeByte(JsonbTag.TIMESTAMP_MINUTES).writeInt((int) (epochMs / 60_000));
        } else {
            out.writeByte(JsonbTag.TIMESTAMP_MILLIS).writeLong(epochMs);
        }
    }

    /**
     * Writes a string with one byte for each char if that suffices for all, else with two, which can be lone
     * surrogates.
     */
    static void writeString(ByteBuf out, CharSequence value) {
        int length = value.length();
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= value.charAt(i);
        }
        if (all <= 0xff) {
            writeStringHead(out, length);
            out.ensureWritable(length);
            for (int i = 0; i < length; i++) {
                out.writeByte(value.charAt(i));
            }
        } else {
            out.writeByte(JsonbTag.STRING_UTF16LE);
            writeInt(out, length * Character.BYTES);
            out.ensureWritable(length * Character.BYTES);
            for (int i = 0; i < length; i++) {
                out.writeShortLE(value.charAt(i));
            }
        }
    }

    /**
     * Writes the UTF-8 text {@code in[offset, offset + length)}. It is copied as it is, unless one byte suffices for
     * each char: from such text in UTF-8, fastjson2 makes a String that equals no other.
     */
    static void writeUtf8(ByteBuf out, ByteBuf in, int offset, int length) {
        int end = offset + length;
        if (isAscii(in, offset, end)) {
            writeStringHead(out, length);
            out.writeBytes(in, offset, length);
            return;
        }
        int chars = 0;
        for (int at = offset; at < end; at++) {
            int b = in.getUnsignedByte(at);
            if (b >= MIN_WIDE) {
                out.writeByte(JsonbTag.STRING_UTF8);
                writeInt(out, length);
                out.writeBytes(in, offset, length);
                return;
            }
            chars += b < 0x80 || b >= 0xc0 ? 1 : 0;
        }
        writeStringHead(out, chars);
        out.ensureWritable(chars);
        for (int at = offset; at < end; at++) {
            int b = in.getUnsignedByte(at);
            out.writeByte(b < 0x80 ? b : b << 6 | in.getByte(++at) & 0x3f);
        }
    }

    private static boolean isAscii(ByteBuf in, int offset, int end) {
        int at = offset;
        while (end - at >= Long.BYTES && (in.getLong(at) & HIGH_BITS) == 0) {
            at += Long.BYTES;
        }
        while (at < end && in.getByte(at) >= 0) {
            at++;
        }
        return at == end;
    }

    private static void writeStringHead(ByteBuf out, int length) {
        if (length <= JsonbTag.MAX_SHORT_STRING) {
            out.writeByte(JsonbTag.SHORT_STRING + length);
        } else {
            out.writeByte(JsonbTag.STRING);
            writeInt(out, length);
        }
    }
}
