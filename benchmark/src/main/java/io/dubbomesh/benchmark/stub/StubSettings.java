package io.dubbomesh.benchmark.stub;

import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * What the stub provider is told at its start, each by {@code -Dkey=value}.
 *
 * @param host      {@code host}: where it listens
 * @param port      {@code port}; 0 for any
 * @param delayNs   {@code delay.ms}, fractions allowed: from a call's last byte to its answer
 * @param limit     {@code limit}: how many calls may be in service; what exceeds it is answered as a full Dubbo pool does
 * @param transport {@code io.transport}, as for the agents
 */
record StubSettings(String host, int port, long delayNs, int limit, String transport) {
    private static final int MAX_DELAY_MS = 3_600_000;

    /** {@code properties} is {@code System::getProperty} in main. */
    static StubSettings from(UnaryOperator<String> properties) {
        return new StubSettings(
                text(properties, "host", "127.0.0.1"),
                (int) number(properties, "port", 20880, 0, 65_535),
                (long) (number(properties, "delay.ms", 0, 0, MAX_DELAY_MS) * TimeUnit.MILLISECONDS.toNanos(1)),
                (int) number(properties, "limit", Integer.MAX_VALUE, 1, Integer.MAX_VALUE),
                text(properties, "io.transport", "auto"));
    }

    private static String text(UnaryOperator<String> properties, String key, String byDefault) {
        String value = properties.apply(key);
        return value == null ? byDefault : value;
    }

    private static double number(UnaryOperator<String> properties, String key, int byDefault, int from, int to) {
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
            // Told below, together with numbers that are out of range.
        }
        throw new IllegalArgumentException(key + ": " + value + " (expected: " + from + "-" + to + ")");
    }
}
