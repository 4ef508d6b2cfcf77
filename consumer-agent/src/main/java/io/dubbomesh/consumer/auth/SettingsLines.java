package io.dubbomesh.consumer.auth;

import java.util.ArrayList;
import java.util.List;

/** The lines of a file of settings; blank ones and those that begin with {@code #} do not count. */
final class SettingsLines {
    /** Takes the words of a line. */
    @FunctionalInterface
    interface Taker {
        /** @throws IllegalArgumentException saying what is wrong and what was expected */
        void take(List<String> words);
    }

    private static final int MAX_LINES = 10_000;
    /** More wrong lines are of one mistake, as in a file of another kind. */
    private static final int MAX_TOLD = 10;

    private SettingsLines() {}

    /**
     * Takes a text apart.
     *
     * @throws IllegalArgumentException for the first lines that are wrong: the number, a colon and what the taker says
     */
    static void forEach(String text, Taker taker) {
        int number = 0;
        int taken = 0;
        List<String> wrong = new ArrayList<>();
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
                wrong.add(number + ": " + e.getMessage());
            }
            if (taken > MAX_LINES || wrong.size() == MAX_TOLD) {
                break;
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; line ", wrong));
        }
    }
}
