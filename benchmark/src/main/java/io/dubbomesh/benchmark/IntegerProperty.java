package io.dubbomesh.benchmark;

import java.util.function.UnaryOperator;

/** A whole number that a program is told by {@code -Dkey=value}, between {@code from} and {@code to}. */
public record IntegerProperty(String key, int from, int to) {
    /**
     * @param properties {@code System::getProperty} in main
     * @throws IllegalArgumentException if it is given and no such number; says what was expected
     */
    public int in(UnaryOperator<String> properties, int byDefault) {
        String value = properties.apply(key);
        if (value == null) {
            return byDefault;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, together with numbers that are out of range.
        }
        throw new IllegalArgumentException(key + ": " + value + " (expected: " + from + "-" + to + ")");
    }
}
