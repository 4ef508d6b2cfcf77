package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

/**
 * A position in a Hessian stream, and the numbers that are read there once their type is known. Every index is checked.
 * Owned by a {@link HessianReader}.
 */
final class HessianCursor {
    ByteBuf in;
    int at;
    int end;
    /** Everything before this index has been numbered. */
    int frontier;

    private int begin;

    void begin(ByteBuf in, int offset, int length) {
        if (offset < 0 || length < 0 || length > in.writerIndex() - offset) {
            throw new IndexOutOfBoundsException("offset " + offset + ", length " + length);
        }
        this.in = in;
        begin = offset;
        at = offset;
        end = offset + length;
        frontier = offset;
    }

    /** Returns the type of the value that begins with the next byte. */
    HessianType type() throws MalformedValueException {
        int tag = byteAt(at);
        HessianType type = HessianType.of(tag);
        if (type == null) {
            throw malformed("no value begins with byte 0x" + Integer.toHexString(tag));
        }
        return type;
    }

    int readInt() throws MalformedValueException {
        int tag = byteAt(at);
        int value;
        if (tag == 'I') {
            value = in.getInt(checked(at + 1, Integer.BYTES));
            at += 5;
        } else if (tag < 0xc0) {
            value = tag - HessianTag.INT_1_ZERO;
            at += 1;
        } else if (tag < 0xd0) {
            value = (tag - HessianTag.INT_2_ZERO) * 0x100 + byteAt(at + 1);
            at += 2;
        } else {
            value = (tag - HessianTag.INT_3_ZERO) * 0x10000 + in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        }
        return value;
    }

    /** Reads a number before which no class definition may come. */
    int readNumber() throws MalformedValueException {
        if (HessianType.of(byteAt(at)) != HessianType.INT) {
            throw malformed("no int where a number is expected");
        }
        return readInt();
    }

    /** Reads the number of things that follow, each of at least one byte. */
    int readLength() throws MalformedValueException {
        int length = readNumber();
        if (length < 0 || length > end - at) {
            throw malformed("length " + length + ", but " + (end - at) + " bytes left");
        }
        return length;
    }

    long readLong() throws MalformedValueException {
        int tag = byteAt(at);
        long value;
        if (tag == 'L') {
            value = in.getLong(checked(at + 1, Long.BYTES));
            at += 9;
        } else if (tag == HessianTag.LONG_4) {
            value = in.getInt(checked(at + 1, Integer.BYTES));
            at += 5;
        } else if (tag < 0x40) {
            value = (tag - HessianTag.LONG_3_ZERO) * 0x10000 + in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        } else if (tag < 0xf0) {
            value = tag - HessianTag.LONG_1_ZERO;
            at += 1;
        } else {
            value = (tag - HessianTag.LONG_2_ZERO) * 0x100 + byteAt(at + 1);
            at += 2;
        }
        return value;
    }

    double readDouble() throws MalformedValueException {
        int tag = byteAt(at);
        double value;
        switch (tag) {
            case HessianTag.DOUBLE_ZERO, HessianTag.DOUBLE_ONE -> {
                value = tag - HessianTag.DOUBLE_ZERO;
                at += 1;
            }
            case HessianTag.DOUBLE_BYTE -> {
                value = (byte) byteAt(at + 1);
                at += 2;
            }
            case HessianTag.DOUBLE_SHORT -> {
                value = in.getShort(checked(at + 1, Short.BYTES));
                at += 3;
            }
            case HessianTag.DOUBLE_MILL -> {
                // Not divided by 1000: the result must be the one that the writer has compared with.
                value = 0.001 * in.getInt(checked(at + 1, Integer.BYTES));
                at += 5;
            }
            default -> {
                value = in.getDouble(checked(at + 1, Double.BYTES));
                at += 9;
            }
        }
        return value;
    }

    /** Reads a date as milliseconds since 1970-01-01T00:00Z. */
    long readDate() throws MalformedValueException {
        long value;
        if (byteAt(at) == HessianTag.DATE_MINUTES) {
            value = in.getInt(checked(at + 1, Integer.BYTES)) * 60_000L;
            at += 5;
        } else {
            value = in.getLong(checked(at + 1, Long.BYTES));
            at += 9;
        }
        return value;
    }

    int byteAt(int index) throws MalformedValueException {
        if (index >= end) {
            throw truncated();
        }
        return in.getUnsignedByte(index);
    }

    int checked(int index, int length) throws MalformedValueException {
        if (length > end - index) {
            throw truncated();
        }
        return index;
    }

    private static MalformedValueException truncated() {
        return new MalformedValueException("ends within a value");
    }

    MalformedValueException malformed(String detail) {
        return new MalformedValueException("at byte " + (at - begin) + ": " + detail);
    }
}
