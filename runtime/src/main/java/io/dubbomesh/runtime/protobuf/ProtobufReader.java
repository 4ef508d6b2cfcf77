package io.dubbomesh.runtime.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a protobuf message field by field, in the order in which they stand:
 * <pre>
 *   while (message.next()) {
 *       switch (message.field()) {
 *           case 1 -> id = message.varint();
 *           case 2 -> name = message.text();
 *           default -> message.skip();
 *       }
 *   }
 * </pre>
 * Each field is read or skipped once. What is not a message throws {@link Malformed}. Used by one thread.
 */
public final class ProtobufReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;
    private static final int TYPE_BITS = 3;
    private static final int MAX_VARINT_BITS = 64;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int field;
    private int type;

    /** The bytes are not a message, or one whose field has another type than expected. */
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Malformed(String message) {
            super("malformed protobuf: " + message);
        }
    }

    public ProtobufReader(byte[] message) {
        this(message, 0, message.length);
    }

    private ProtobufReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    /** Goes to the next field; returns false at the end of the message. */
    public boolean next() {
        if (at == end) {
            return false;
        }
        long tag = readVarint();
        field = (int) (tag >>> TYPE_BITS);
        type = (int) tag & 7;
        if (tag >>> 32 != 0 || field == 0) {
            throw new Malformed("tag " + tag);
        }
        return true;
    }

    /** Returns the number of the present field. */
    public int field() {
        return field;
    }

    /** Reads a number of the types int32, int64, uint32, uint64, bool and of an enum. */
    public long varint() {
        expect(VARINT);
        return readVarint();
    }

    public boolean bool() {
        return varint() != 0;
    }

    public byte[] bytes() {
        int length = readLength();
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    public String text() {
        int length = readLength();
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    /** Returns a reader of a nested message. */
    public ProtobufReader message() {
        int length = readLength();
        at += length;
        return new ProtobufReader(bytes, at - length, at);
    }

    /** Leaves out the present field. */
    public void skip() {
        switch (type) {
            case VARINT -> readVarint();
            case FIXED64 -> advance(Long.BYTES);
            case BYTES -> advance(readLength());
            case FIXED32 -> advance(Integer.BYTES);
            default -> throw new Malformed("type " + type + " of field " + field);
        }
    }

    private void expect(int expected) {
        if (type != expected) {
            throw new Malformed("type " + type + " of field " + field + " (expected: " + expected + ")");
        }
    }

    private int readLength() {
        expect(BYTES);
        long length = readVarint();
        if (length < 0 || length > end - at) {
            throw new Malformed("length " + length + " of field " + field + " (expected: at most " + (end - at) + ")");
        }
        return (int) length;
    }

    private void advance(int length) {
        if (length > end - at) {
            throw new Malformed("field " + field + " is cut off");
        }
        at += length;
    }

    private long readVarint() {
        long value = 0;
        for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
            if (at == end) {
                throw new Malformed("cut off within a number");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new Malformed("a number of more than ten bytes");
    }
}
