package io.dubbomesh.benchmark.stub;

import io.netty.buffer.ByteBuf;

/**
 * Reads the body of a Hessian 2 request of {@code hash(String)} and computes its result without making the string.
 * <pre>
 * text  = protocol version, path, service version, method, descriptor, argument: each
 *         ( 'R' length16 chars )* ( 0x00..0x1f | 0x30..0x33 length8 | 'S' length16 ) chars, or 'N' for null
 * chars = as many UTF-16 units as the length says, each as 1 to 3 bytes like UTF-8
 * </pre>
 * The attachments after the argument are ignored. Has scratch space; owned by one event loop.
 */
final class HashCall {
    /** The result of {@link #read} for a body that is not such a call; every other result is an int. */
    static final long NONE = 1L << 32;

    private static final long NULL = 2L << 32;

    private static final int HASH = "hash".hashCode();
    private static final int TEXTS_BEFORE_THE_METHOD = 3;

    private static final int P1 = 31;
    private static final int P2 = P1 * P1;
    private static final int P3 = P2 * P1;
    private static final int P4 = P3 * P1;

    private byte[] bytes = new byte[2048];
    private int at;
    private int end;

    /** The hash of the argument in the body {@code in[offset, offset + length)}, or {@link #NONE}. */
    long read(ByteBuf in, int offset, int length) {
        if (bytes.length < length) {
            bytes = new byte[length];
        }
        // One bulk copy: on an array the loop below costs a third of what it does on the buffer.
        in.getBytes(offset, bytes, 0, length);
        at = 0;
        end = length;
        for (int i = 0; i < TEXTS_BEFORE_THE_METHOD; i++) {
            if (text() == NONE) {
                return NONE;
            }
        }
        // The hash of a name is enough to recognise it.
        if (text() != HASH || text() == NONE) {
            return NONE;
        }
        long hash = text();
        return hash == NULL ? NONE : hash;
    }

    /** The hash of a text in Hessian 2, an argument that stands alone, or {@link #NONE}. */
    long readArgument(byte[] argument) {
        bytes = argument;
        at = 0;
        end = argument.length;
        long hash = text();
        return hash == NULL || at != end ? NONE : hash;
    }

    private long text() {
        int hash = 0;
        while (at < end) {
            int tag = bytes[at++] & 0xff;
            if (tag < 0x20) {
                return chars(hash, tag);
            }
            if (tag >= 0x30 && tag <= 0x33 && at < end) {
                return chars(hash, (tag & 3) << 8 | bytes[at++] & 0xff);
            }
            if (tag == 'N') {
                return NULL;
            }
            if (tag != 'S' && tag != 'R' || end - at < Short.BYTES) {
                return NONE;
            }
            int length = (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
            at += Short.BYTES;
            long soFar = chars(hash, length);
            if (tag == 'S' || soFar == NONE) {
                return soFar;
            }
            hash = (int) soFar;
        }
        return NONE;
    }

    private long chars(int before, int count) {
        int hash = before;
        int left = count;
        while (left > 0) {
            // Four at a time, because each multiplication waits for the one before.
            while (left >= 4 && end - at >= 4) {
                byte a = bytes[at];
                byte b = bytes[at + 1];
                byte c = bytes[at + 2];
                byte d = bytes[at + 3];
                if ((a | b | c | d) < 0) {
                    break;
                }
                hash = P4 * hash + P3 * a + P2 * b + P1 * c + d;
                at += 4;
                left -= 4;
            }
            if (left == 0) {
                break;
            }
            int unit = unit();
            if (unit < 0) {
                return NONE;
            }
            hash = P1 * hash + unit;
            left--;
        }
        return hash;
    }

    /** The next UTF-16 unit, or -1 if there is none. */
    private int unit() {
        if (at >= end) {
            return -1;
        }
        int first = bytes[at++];
        if (first >= 0) {
            return first;
        }
        int more = (first & 0xe0) == 0xc0 ? 1 : (first & 0xf0) == 0xe0 ? 2 : -1;
        if (more < 0 || end - at < more) {
            return -1;
        }
        int unit = first & (more == 1 ? 0x1f : 0x0f);
        for (int i = 0; i < more; i++) {
            unit = unit << 6 | bytes[at++] & 0x3f;
        }
        return unit;
    }
}
