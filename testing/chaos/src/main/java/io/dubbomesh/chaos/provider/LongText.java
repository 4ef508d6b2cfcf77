package io.dubbomesh.chaos.provider;

import java.io.ByteArrayOutputStream;

/**
 * The text that {@code text(String)} of an {@link AdjustableProvider} returns: bytes that are lost, doubled or of
 * another place show in it.
 */
public final class LongText {
    /** A prime number, so that no buffer has a multiple of it. */
    private static final int PERIOD = 23;

    private static final int CHUNK = 0x8000;

    /** The longest chunk, from each place of the period. */
    private static final byte[] BYTES = new byte[PERIOD + CHUNK];

    static {
        for (int i = 0; i < BYTES.length; i++) {
            BYTES[i] = at(i);
        }
    }

    private LongText() {}

    public static byte at(long index) {
        return (byte) ('a' + index % PERIOD);
    }

    /** Returns a text of so many characters in Hessian 2. */
    static byte[] hessian(int length) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(length + 64);
        int at = 0;
        while (length - at > CHUNK) {
            chunk(bytes, 'R', at, CHUNK);
            at += CHUNK;
        }
        chunk(bytes, 'S', at, length - at);
        return bytes.toByteArray();
    }

    /** Writes from a table: a text of 1 MiB is not to keep the provider from other calls. */
    private static void chunk(ByteArrayOutputStream out, char tag, int at, int length) {
        out.write(tag);
        out.write(length >>> 8);
        out.write(length);
        out.write(BYTES, at % PERIOD, length);
    }
}
