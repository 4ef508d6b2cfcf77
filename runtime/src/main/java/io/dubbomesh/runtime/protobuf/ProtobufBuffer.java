package io.dubbomesh.runtime.protobuf;

import java.nio.charset.StandardCharsets;

/**
 * A protobuf message, written from its end to its beginning: so the length of what is nested, which stands in front of
 * it, is known when it is written. Within a message the fields are to be written in the reverse of the order in which
 * they shall stand. Used by one thread.
 */
public final class ProtobufBuffer {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private byte[] bytes;
    /** The begin of what was written; it ends with the array. */
    private int start;

    /** @param capacity of the first array: a message that needs more gets a larger one */
    public ProtobufBuffer(int capacity) {
        bytes = new byte[capacity];
        start = capacity;
    }

    public void clear() {
        start = bytes.length;
    }

    public byte[] array() {
        return bytes;
    }

    public int offset() {
        return start;
    }

    public int length() {
        return bytes.length - start;
    }

    /** Returns where a nested message ends: called before its fields are written, the last one first. */
    public int end() {
        return length();
    }

    /** Ends a nested message, when its fields are written. */
    public void message(int field, int end) {
        varint(length() - end);
        tag(field, BYTES);
    }

    public void varintField(int field, long value) {
        varint(value);
        tag(field, VARINT);
    }

    public void fixed64Field(int field, long value) {
        littleEndian(value, Long.BYTES);
        tag(field, FIXED64);
    }

    public void doubleField(int field, double value) {
        fixed64Field(field, Double.doubleToRawLongBits(value));
    }

    /** Writes a number of the type sint32, which is short near 0 on either side. */
    public void sint32Field(int field, int value) {
        varintField(field, (value << 1 ^ value >> 31) & 0xffffffffL);
    }

    public void fixed32Field(int field, int value) {
        littleEndian(value, Integer.BYTES);
        tag(field, FIXED32);
    }

    /** Writes two numbers of 64 bits as bytes, the higher one first. */
    public void bytesField(int field, long high, long low) {
        bigEndian(low);
        bigEndian(high);
        varint(2 * Long.BYTES);
        tag(field, BYTES);
    }

    public void bytesField(int field, long value) {
        bigEndian(value);
        varint(Long.BYTES);
        tag(field, BYTES);
    }

    public void bytesField(int field, byte[] value) {
        ensureRoom(value.length);
        start -= value.length;
        System.arraycopy(value, 0, bytes, start, value.length);
        varint(value.length);
        tag(field, BYTES);
    }

    public void textField(int field, String text) {
        int end = end();
        ensureRoom(text.length());
        int at = text.length();
        while (at > 0 && text.charAt(at - 1) < 0x80) {
            bytes[--start] = (byte) text.charAt(--at);
        }
        if (at > 0) {
            byte[] rest = text.substring(0, at).getBytes(StandardCharsets.UTF_8);
            ensureRoom(rest.length);
            start -= rest.length;
            System.arraycopy(rest, 0, bytes, start, rest.length);
        }
        message(field, end);
    }

    private void tag(int field, int type) {
        varint((long) field << 3 | type);
    }

    /** Writes a number without a tag, as a packed list has them, which is a message of such numbers. */
    public void varint(long value) {
        int length = 1;
        for (long rest = value >>> 7; rest != 0; rest >>>= 7) {
            length++;
        }
        ensureRoom(length);
        start -= length;
        long rest = value;
        for (int i = 0; i < length - 1; i++) {
            bytes[start + i] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[start + length - 1] = (byte) rest;
    }

    private void littleEndian(long value, int length) {
        ensureRoom(length);
        start -= length;
        for (int i = 0; i < length; i++) {
            bytes[start + i] = (byte) (value >>> 8 * i);
        }
    }

    private void bigEndian(long value) {
        littleEndian(Long.reverseBytes(value), Long.BYTES);
    }

    private void ensureRoom(int more) {
        if (more > start) {
            int length = length();
            byte[] larger = new byte[Math.max(2 * bytes.length, length + more)];
            System.arraycopy(bytes, start, larger, larger.length - length, length);
            start = larger.length - length;
            bytes = larger;
        }
    }
}
