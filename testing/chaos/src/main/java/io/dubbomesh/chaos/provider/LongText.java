package io.dubbomesh.chaos.provider;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The text that {@code text(String)} of an {@link AdjustableProvider} returns: bytes that are lost, doubled or of
 * another place show in it.
 */
public final class LongText {
    /** A prime number, so that no buffer has a multiple of it. */
    private static final int PERIOD = 23;

    /** The longest chunk of a Hessian text, from each place of the period. */
    private static final byte[] BYTES = new byte[PERIOD + 0xffff];

    static {
        for (int i = 0; i < BYTES.length; i++) {
            BYTES[i] = at(i);
        }
    }

    private LongText() {}

    public static byte at(long index) {
        return (byte) ('a' + index % PERIOD);
    }

    /**
     * Writes {@code length} bytes from {@code index} on, at most 0xffff, from a table: a text of 1 MiB is not to keep
     * the provider from other calls.
     */
    static void write(OutputStream out, long index, int length) throws IOException {
        out.write(BYTES, (int) (index % PERIOD), length);
    }
}
