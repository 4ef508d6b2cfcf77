package io.dubbomesh.chaos.provider;

/**
 * The text that {@code text(String)} of an {@link AdjustableProvider} returns: bytes that are lost, doubled or of
 * another place show in it.
 */
public final class LongText {
    /** A prime number, so that no buffer has a multiple of it. */
    private static final int PERIOD = 23;

    private LongText() {}

    public static byte at(long index) {
        return (byte) ('a' + index % PERIOD);
    }
}
