package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads a message of Protocol Buffers field by field, in place; groups are refused. The lengths are checked, so that
 * what {@link #offset} and {@link #length} tell is within the message.
 */
final class MessageReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;
    private static final int TYPE_BITS = 3;
    private static final int TYPE = 7;
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7f;
    private static final int MORE = 0x80;

    private final ByteBuf in;
    private final int end;
    private int at;
    private int number;
    private int type;
    private int offset;
    private int length;
    private long value;

    MessageReader(ByteBuf in, int offset, int length) {
        this.in = in;
        at = offset;
        end = offset + length;
    }

    /** Goes to the next field; returns false if there is none. */
    boolean next() throws MalformedValueException {
        if (at == end) {
            return false;
        }
        long tag = varint();
        number = (int) (tag >>> TYPE_BITS);
        type = (int) tag & TYPE;
        if (number <= 0 || tag >>> Integer.SIZE != 0) {
            throw new MalformedValueException("a field that has no number");
        }
        switch (type) {
            case VARINT -> value = varint();
            case FIXED64 -> skip(Long.BYTES);
            case FIXED32 -> skip(Integer.BYTES);
            case BYTES -> {
                long bytes = varint();
                if (bytes < 0 || bytes > end - at) {
                    throw new MalformedValueException("a length reaches beyond the message");
                }
                skip((int) bytes);
            }
            default -> throw new MalformedValueException("a field of wire type " + type);
        }
        return true;
    }

    private void skip(int bytes) throws MalformedValueException {
        if (bytes > end - at) {
            throw new MalformedValueException("ends within a field");
        }
        offset = at;
        length = bytes;
        at += bytes;
    }

    private long varint() throws MalformedValueException {
        long read = 0;
        for (int shift = 0; shift < Long.SIZE; shift += GROUP_BITS) {
            if (at == end) {
                throw new MalformedValueException("ends within a number");
            }
            int group = in.getByte(at++);
            read |= (long) (group & GROUP) << shift;
            if ((group & MORE) == 0) {
                return read;
            }
        }
        throw new MalformedValueException("a number of more than 64 bits");
    }

    /** Returns whether this field has this number, and bytes. */
    boolean isBytes(int wanted) {
        return number == wanted && type == BYTES;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    String text() {
        return in.toString(offset, length, UTF_8);
    }
}
