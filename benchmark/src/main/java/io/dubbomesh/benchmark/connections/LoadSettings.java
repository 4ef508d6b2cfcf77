package io.dubbomesh.benchmark.connections;

import io.dubbomesh.benchmark.IntegerProperty;

import java.util.function.UnaryOperator;

/**
 * What the load is told at its start, each by {@code -Dkey=value}.
 *
 * @param port        of the consumer agent, on the loopback address
 * @param connections how many are opened and kept
 * @param rate        calls a second on each connection, fractions allowed; 0: they stay idle
 * @param seconds     how long the load lasts
 * @param pause       whether to wait for a line on standard input before the closing calls
 */
record LoadSettings(int port, int connections, double rate, int seconds, boolean pause) {
    private static final IntegerProperty PORT = new IntegerProperty("port", 1, 65_535);
    private static final IntegerProperty CONNECTIONS = new IntegerProperty("connections", 1, 1_000_000);
    private static final IntegerProperty SECONDS = new IntegerProperty("seconds", 1, 86_400);
    private static final int MAX_RATE = 100_000;

    /** {@code properties} is {@code System::getProperty} in main. */
    static LoadSettings from(UnaryOperator<String> properties) {
        return new LoadSettings(
                PORT.in(properties, 20000),
                CONNECTIONS.in(properties, 512),
                rate(properties.apply("rate")),
                SECONDS.in(properties, 10),
                flag("pause", properties.apply("pause")));
    }

    private static double rate(String value) {
        if (value == null) {
            return 0;
        }
        try {
            double rate = Double.parseDouble(value);
            if (rate >= 0 && rate <= MAX_RATE) {
                return rate;
            }
        } catch (NumberFormatException e) {
            // Told below, together with numbers that are out of range.
        }
        throw new IllegalArgumentException("rate: " + value + " (expected: 0-" + MAX_RATE + ")");
    }

    private static boolean flag(String key, String value) {
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw new IllegalArgumentException(key + ": " + value + " (expected: true, false)");
    }
}
