package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

import java.math.BigDecimal;
import java.math.BigInteger;

/** A position in JSONB, and the scalars that are read there. Every index is checked. Owned by a {@link JsonbReader}. */
final class JsonbCursor {
    /** Much longer numbers take long to convert to decimal. */
    private static final int MAX_NUMBER = 4096;

    ByteBuf in;
    int at;
    int end;
    private int begin;

    void begin(ByteBuf in, int offset, int length) {
        if (offset < 0 || length < 0 || length > in.writerIndex() - offset) {
            throw new IndexOutOfBoundsException("offset " + offset + ", length " + length);
        }
        this.in = in;
        begin = offset;
        at = offset;
        end = offset + length;
    }

    /** Returns the type of the next value. */
    JsonbType peek() throws MalformedValueException {
        JsonbType type = JsonbType.of(byteAt(at));
        if (type == null) {
            throw malformed(String.format("tag 0x%02x", byteAt(at)));
        }
        return type;
    }

    void readNull() throws MalformedValueException {
        expect(JsonbType.NULL);
        at++;
    }

    boolean readBoolean() throws MalformedValueException {
        expect(JsonbType.BOOLEAN);
        return byteAt(at++) == JsonbTag.TRUE;
    }

    long readWhole() throws MalformedValueException {
        expect(JsonbType.WHOLE);
        int tag = byteAt(at++);
        if (tag < JsonbTag.INT_BYTE_ZERO - 8 || tag >= 0xf0) {
            return (byte) tag;
        }
        if (tag < JsonbTag.INT_SHORT_ZERO - 4) {
            return (tag - JsonbTag.INT_BYTE_ZERO) * 0x100L + in.getUnsignedByte(take(Byte.BYTES));
        }
        if (tag < JsonbTag.INT) {
            return (tag - JsonbTag.INT_SHORT_ZERO) * 0x10000L + in.getUnsignedShort(take(Short.BYTES));
        }
        return switch (tag) {
            case JsonbTag.INT, JsonbTag.LONG_INT -> in.getInt(take(Integer.BYTES));
            case JsonbTag.INT8 -> in.getByte(take(Byte.BYTES));
            case JsonbTag.INT16 -> in.getShort(take(Short.BYTES));
            case JsonbTag.LONG -> in.getLong(take(Long.BYTES));
            default -> readShortLong(tag);
        };
    }

    private long readShortLong(int tag) throws MalformedValueException {
        if (tag < JsonbTag.LONG_BYTE_ZERO - 8) {
            return (tag - JsonbTag.LONG_SHORT_ZERO) * 0x10000L + in.getUnsignedShort(take(Short.BYTES));
        }
        if (tag < JsonbTag.LONG_NUM_ZERO - 8) {
            return (tag - JsonbTag.LONG_BYTE_ZERO) * 0x100L + in.getUnsignedByte(take(Byte.BYTES));
        }
        return tag - JsonbTag.LONG_NUM_ZERO;
    }

    int readInt() throws MalformedValueException {
        long value = readWhole();
        if (value != (int) value) {
            throw malformed(value + " where an int is expected");
        }
        return (int) value;
    }

    /** Reads the number of things that follow, each of at least one byte. */
    int readLength() throws MalformedValueException {
        int length = readInt();
        if (length < 0 || length > end - at) {
            throw malformed("length " + length + ", but " + (end - at) + " bytes left");
        }
        return length;
    }

    double readDouble() throws MalformedValueException {
        expect(JsonbType.DOUBLE);
        int tag = byteAt(at++);
        return switch (tag) {
            case JsonbTag.DOUBLE_LONG -> readWhole();
            case JsonbTag.DOUBLE -> in.getDouble(take(Double.BYTES));
            default -> tag - JsonbTag.DOUBLE_0;
        };
    }

    float readFloat() throws MalformedValueException {
        expect(JsonbType.FLOAT);
        return byteAt(at++) == JsonbTag.FLOAT_INT ? readInt() : in.getFloat(take(Float.BYTES));
    }

    BigDecimal readDecimal() throws MalformedValueException {
        expect(JsonbType.DECIMAL);
        if (byteAt(at++) == JsonbTag.DECIMAL_LONG) {
            return BigDecimal.valueOf(readWhole());
        }
        int scale = readInt();
        return new BigDecimal(peek() == JsonbType.WHOLE ? BigInteger.valueOf(readWhole()) : readBigInteger(), scale);
    }

    BigInteger readBigInteger() throws MalformedValueException {
        expect(JsonbType.BIG_INTEGER);
        if (byteAt(at++) == JsonbTag.BIG_INTEGER_LONG) {
            return BigInteger.valueOf(readWhole());
        }
        int length = readLength();
        if (length == 0 || length > MAX_NUMBER) {
            throw malformed("an integer of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.getBytes(take(length), bytes);
        return new BigInteger(bytes);
    }

    char readChar() throws MalformedValueException {
        expect(JsonbType.CHAR);
        at++;
        int value = readInt();
        if (value != (char) value) {
            throw malformed("a char of " + value);
        }
        return (char) value;
    }

    /** Skips binary data; returns where it begins. It ends where the cursor is then. */
    int readBinary() throws MalformedValueException {
        expect(JsonbType.BINARY);
        at++;
        int length = readLength();
        return take(length);
    }

    void expect(JsonbType type) throws MalformedValueException {
        JsonbType found = peek();
        if (found != type) {
            throw malformed(found + " where " + type + " is expected");
        }
    }

    int byteAt(int index) throws MalformedValueException {
        if (index >= end) {
            throw truncated();
        }
        return in.getUnsignedByte(index);
    }

    /** Skips this many bytes; returns where they begin. */
    int take(int length) throws MalformedValueException {
        if (length > end - at) {
            throw truncated();
        }
        at += length;
        return at - length;
    }

    private static MalformedValueException truncated() {
        return new MalformedValueException("ends within a value");
    }

    MalformedValueException malformed(String detail) {
        return new MalformedValueException("at byte " + (at - begin) + ": " + detail);
    }
}
