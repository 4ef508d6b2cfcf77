package io.dubbomesh.benchmark.stub;

import io.dubbomesh.benchmark.NumberProperty;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The settings of the stub provider, each by {@code -Dkey=value}.
 *
 * @param host      {@code host}: where it listens
 * @param port      {@code port}; 0 for any
 * @param adminPort {@code admin.port}, on the loopback address: for {@link StubAdmin}; -1 for none, 0 for any
 * @param callsFile {@code calls.file}: gets a line, the result, for every call executed; null for none
 * @param behaviour at the start, each of its properties by its name
 * @param transport {@code io.transport}, as for the agents
 * @param triple    {@code protocol}: {@code tri} for calls by Triple, {@code dubbo} for the others
 */
record StubSettings(
        String host,
        int port,
        int adminPort,
        Path callsFile,
        StubBehaviour behaviour,
        String transport,
        boolean triple) {
    private static final NumberProperty PORT = new NumberProperty("port", 0, 65_535);
    private static final NumberProperty ADMIN_PORT = new NumberProperty("admin.port", -1, 65_535);
    private static final List<String> OF_BEHAVIOUR =
            List.of("delay.ms", "threads", "limit", "refuse", "fail", "swallow", "frozen", "answer.length");

    /** {@code properties} is {@code System::getProperty} in main. */
    static StubSettings from(UnaryOperator<String> properties) {
        StubBehaviour behaviour = StubBehaviour.DEFAULT;
        for (String key : OF_BEHAVIOUR) {
            String value = properties.apply(key);
            behaviour = value == null ? behaviour : behaviour.with(key, value);
        }
        String callsFile = properties.apply("calls.file");
        return new StubSettings(
                Objects.requireNonNullElse(properties.apply("host"), "127.0.0.1"),
                PORT.whole(properties, 20_880),
                ADMIN_PORT.whole(properties, -1),
                callsFile == null ? null : Path.of(callsFile),
                behaviour,
                Objects.requireNonNullElse(properties.apply("io.transport"), "auto"),
                isTriple(Objects.requireNonNullElse(properties.apply("protocol"), "dubbo")));
    }

    private static boolean isTriple(String protocol) {
        return switch (protocol) {
            case "tri" -> true;
            case "dubbo" -> false;
            default -> throw new IllegalArgumentException("protocol: " + protocol + " (expected: dubbo or tri)");
        };
    }
}
