package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

/** A place in a Hessian stream, and the scalars that are read there. Whatever index is read at is checked. */
abstract class HessianCursor {
    ByteBuf in;
    int at;
    int end;
    private int begin;

    HessianCursor() {}

    void begin(ByteBuf in, int offset, int length) {
        if (offset < 0 || length < 0 || length > in.writerIndex() - offset) {
            throw new IndexOutOfBoundsException("offset " + offset + ", length " + length);
        }
        this.in = in;
        begin = offset;
        at = offset;
        end = offset + length;
    }

    /** What comes next. */
    abstract HessianType peek() throws MalformedValueException;

    /** The absolute index of the next byte. */
    public final int position() {
        return at;
    }

    /** Goes to the beginning of a value that was read or skipped before, or of the first one that was not. */
    public final void seek(int position) {
        at = position;
    }

    public final boolean isAtEnd() {
        return at == end;
    }

    public final void readNull() throws MalformedValueException {
        expect(HessianType.NULL);
        at++;
    }

    public final boolean readBoolean() throws MalformedValueException {
        expect(HessianType.BOOLEAN);
        return byteAt(at++) == 'T';
    }

    public final int readInt() throws MalformedValueException {
        expect(HessianType.INT);
        return readIntHere();
    }

    final int readIntHere() throws MalformedValueException {
        int tag = byteAt(at);
        int value;
        if (tag == 'I') {
            value = in.getInt(checked(at + 1, Integer.BYTES));
            at += 5;
        } else if (tag < 0xc0) {
            value = tag - Tag.INT_1_ZERO;
            at += 1;
        } else if (tag < 0xd0) {
            value = (tag - Tag.INT_2_ZERO) * 0x100 + byteAt(at + 1);
            at += 2;
        } else {
            value = (tag - Tag.INT_3_ZERO) * 0x10000 + in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        }
        return value;
    }

    /** Reads a number that no class definition may stand in front of. */
    final int readNumber() throws MalformedValueException {
        if (HessianType.of(byteAt(at)) != HessianType.INT) {
            throw malformed("no int where a number is expected");
        }
        return readIntHere();
    }

    /** Reads how many things follow, of which each takes at least a byte. */
    final int readLength() throws MalformedValueException {
        int length = readNumber();
        if (length < 0 || length > end - at) {
            throw malformed("length " + length + ", but " + (end - at) + " bytes left");
        }
        return length;
    }

    /** Reads a long, or an int as one. */
    public final long readLong() throws MalformedValueException {
        if (peek() == HessianType.INT) {
            return readIntHere();
        }
        expect(HessianType.LONG);
        return readLongHere();
    }

    final long readLongHere() throws MalformedValueException {
        int tag = byteAt(at);
        long value;
        if (tag == 'L') {
            value = in.getLong(checked(at + 1, Long.BYTES));
            at += 9;
        } else if (tag == Tag.LONG_4) {
            value = in.getInt(checked(at + 1, Integer.BYTES));
            at += 5;
        } else if (tag < 0x40) {
            value = (tag - Tag.LONG_3_ZERO) * 0x10000 + in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        } else if (tag < 0xf0) {
            value = tag - Tag.LONG_1_ZERO;
            at += 1;
        } else {
            value = (tag - Tag.LONG_2_ZERO) * 0x100 + byteAt(at + 1);
            at += 2;
        }
        return value;
    }

    public final double readDouble() throws MalformedValueException {
        expect(HessianType.DOUBLE);
        int tag = byteAt(at);
        double value;
        switch (tag) {
            case Tag.DOUBLE_ZERO, Tag.DOUBLE_ONE -> {
                value = tag - Tag.DOUBLE_ZERO;
                at += 1;
            }
            case Tag.DOUBLE_BYTE -> {
                value = (byte) byteAt(at + 1);
                at += 2;
            }
            case Tag.DOUBLE_SHORT -> {
                value = in.getShort(checked(at + 1, Short.BYTES));
                at += 3;
            }
            case Tag.DOUBLE_MILL -> {
                // Not divided by 1000: the result must be the one that the writer compared with.
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
    public final long readDate() throws MalformedValueException {
        expect(HessianType.DATE);
        long value;
        if (byteAt(at) == Tag.DATE_MINUTES) {
            value = in.getInt(checked(at + 1, Integer.BYTES)) * 60_000L;
            at += 5;
        } else {
            value = in.getLong(checked(at + 1, Long.BYTES));
            at += 9;
        }
        return value;
    }

    final void expect(HessianType type) throws MalformedValueException {
        HessianType found = peek();
        if (found != type) {
            throw malformed(found + " where " + type + " is expected");
        }
    }

    final int byteAt(int index) throws MalformedValueException {
        if (index >= end) {
            throw truncated();
        }
        return in.getUnsignedByte(index);
    }

    final int checked(int index, int length) throws MalformedValueException {
        if (length > end - index) {
            throw truncated();
        }
        return index;
    }

    private static MalformedValueException truncated() {
        return new MalformedValueException("ends within a value");
    }

    final MalformedValueException malformed(String detail) {
        return new MalformedValueException("at byte " + (at - begin) + ": " + detail);
    }
}
