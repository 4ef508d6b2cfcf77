package io.dubbomesh.benchmark;

import java.util.function.UnaryOperator;

/** A number between {@code from} and {@code to} that a program gets by {@code -Dkey=value}. */
public record NumberProperty(String key, int from, int to) {
    /**
     * @param properties {@code System::getProperty} in main
     * @throws IllegalArgumentException if the value is not such a number; the message says what was expected
     */
    public int whole(UnaryOperator<String> properties, int byDefault) {
        double number = decimal(properties, byDefault);
        if (number != Math.rint(number)) {
            throw unexpected(properties.apply(key));
        }
        return (int) number;
    }

    /** Likewise, with fractions allowed. */
    public double decimal(UnaryOperator<String> properties, double byDefault) {
        String value = properties.apply(key);
        if (value == null) {
            return byDefault;
        }
        try {
            double number = Double.parseDouble(value);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is out of range.
        }
        throw unexpected(value);
    }

    private IllegalArgumentException unexpected(String value) {
        return new IllegalArgumentException(key + ": " + value + " (expected: " + from + "-" + to + ")");
    }
}
