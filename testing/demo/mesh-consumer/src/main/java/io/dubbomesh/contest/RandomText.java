package io.dubbomesh.contest;

import java.util.Random;

/** Texts of 0 to 1,023 letters and digits. Their lengths are the same in every run, their characters are not. */
final class RandomText {
    private static final int LENGTHS = 1024;
    private static final String CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    // Shared by all threads, as in 2018: the contention is part of the load.
    private final Random lengths = new Random(1);
    private final Random chars = new Random();

    String next() {
        char[] text = new char[lengths.nextInt(LENGTHS)];
        for (int i = 0; i < text.length; i++) {
            text[i] = CHARS.charAt(chars.nextInt(CHARS.length()));
        }
        return new String(text);
    }
}
