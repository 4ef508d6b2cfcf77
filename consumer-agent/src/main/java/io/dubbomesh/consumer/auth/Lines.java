package io.dubbomesh.consumer.auth;

import java.util.List;

/** The lines of a file of settings; blank ones and those that begin with {@code #} do not count. */
final class Lines {
    /** Takes the words of a line. */
    @FunctionalInterface
    interface Taker {
        /** @throws IllegalArgumentException saying what is wrong and what was expected */
        void take(List<String> words);
    }

    private static final int MAX_LINES = 10_000;

    private Lines() {}

    /**
     * Takes a text apart.
     *
     * @throws IllegalArgumentException for the first line that is wrong: its number, a colon and what the taker says
     */
    static void forEach(String text, Taker taker) {
        int number = 0;
        int taken = 0;
        for (String line : text.split("\r?\n|\r")) {
            number++;
            String stripped = line.strip();
            if (stripped.isEmpty() || stripped.startsWith("#")) {
                continue;
            }
            try {
                if (++taken > MAX_LINES) {
                    throw new IllegalArgumentException("more than " + MAX_LINES + " lines");
                }
                taker.take(List.of(stripped.split("\\s+")));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(number + ": " + e.getMessage(), e);
            }
        }
    }
}
