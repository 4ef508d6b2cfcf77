package io.dubbomesh.benchmark.stub;

import io.dubbomesh.benchmark.NumberProperty;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The settings of the stub provider, each by {@code -Dkey=value}.
 *
 * @param host      {@code host}: where it listens
 * @param port      {@code port}; 0 for any
 * @param delayNs   {@code delay.ms}, fractions allowed: from a call's last byte to its answer
 * @param limit     {@code limit}: how many calls may be in service; further ones are answered as a full Dubbo pool does
 * @param transport {@code io.transport}, as for the agents
 */
record StubSettings(String host, int port, long delayNs, int limit, String transport) {
    private static final NumberProperty PORT = new NumberProperty("port", 0, 65_535);
    private static final NumberProperty DELAY_MS = new NumberProperty("delay.ms", 0, 3_600_000);
    private static final NumberProperty LIMIT = new NumberProperty("limit", 1, Integer.MAX_VALUE);

    /** {@code properties} is {@code System::getProperty} in main. */
    static StubSettings from(UnaryOperator<String> properties) {
        return new StubSettings(
                Objects.requireNonNullElse(properties.apply("host"), "127.0.0.1"),
                PORT.whole(properties, 20_880),
                (long) (DELAY_MS.decimal(properties, 0) * TimeUnit.MILLISECONDS.toNanos(1)),
                LIMIT.whole(properties, Integer.MAX_VALUE),
                Objects.requireNonNullElse(properties.apply("io.transport"), "auto"));
    }
}
