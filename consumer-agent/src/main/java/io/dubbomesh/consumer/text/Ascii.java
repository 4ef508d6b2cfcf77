package io.dubbomesh.consumer.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Text as the bytes that HTTP has for it. */
public final class Ascii {
    private Ascii() {}

    public static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }
}
