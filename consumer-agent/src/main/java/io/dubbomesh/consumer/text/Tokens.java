package io.dubbomesh.consumer.text;

import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The characters that HTTP's tokens are made of (RFC 9110, section 5.6.2), and the blanks around them. */
public final class Tokens {
    private static final boolean[] TOKEN = new boolean[256];

    static {
        for (byte character : ("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + "!#$%&'*+-.^_`|~")
                .getBytes(US_ASCII)) {
            TOKEN[character] = true;
        }
    }

    private Tokens() {}

    public static boolean isToken(byte character) {
        return TOKEN[character & 0xff];
    }

    /**
     * Returns the index of the first byte from {@code at} on that is not a token character; there must be one in the
     * buffer.
     */
    public static int end(ByteBuf in, int at) {
        while (TOKEN[in.getByte(at) & 0xff]) {
            at++;
        }
        return at;
    }

    public static boolean isBlank(byte character) {
        return character == ' ' || character == '\t';
    }

    /** Returns the index of the first byte in {@code in[at, end)} that is not a blank, or {@code end}. */
    public static int skipBlanks(ByteBuf in, int at, int end) {
        while (at < end && isBlank(in.getByte(at))) {
            at++;
        }
        return at;
    }

    /** Returns the end of what is left of {@code in[at, end)} without the blanks at its end. */
    public static int trimBlanks(ByteBuf in, int at, int end) {
        while (end > at && isBlank(in.getByte(end - 1))) {
            end--;
        }
        return end;
    }

    /** Returns whether {@code in[at, end)} is this text in any case; see {@link Words#equalInAnyCase}. */
    public static boolean is(ByteBuf in, int at, int end, byte[] folded) {
        return end - at == folded.length && Words.equalInAnyCase(in, at, folded);
    }

    public static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }
}
