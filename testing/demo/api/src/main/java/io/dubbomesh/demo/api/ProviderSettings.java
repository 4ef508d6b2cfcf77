package io.dubbomesh.demo.api;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The settings of a demo provider, each by {@code -Dkey=value}.
 *
 * @param name          {@code name}: of the Dubbo application
 * @param host          {@code host}: where it listens
 * @param port          {@code port}
 * @param threads       {@code threads}: of the fixed pool, which has no queue; Dubbo's own default is 200
 * @param delayMs       {@code delay.ms}: how long a call takes
 * @param busyMs        {@code busy.ms}: how long a call computes before that, of the time of the processor
 * @param callsFile     {@code calls.file}: a file that gets a line for each executed call; null for none
 * @param serialization {@code serialization}: of the exported service
 * @param conformance {@code conformance}: whether {@link io.dubbomesh.demo.conformance.ConformanceService} is exported
 *     too, plain and as version 2.0.0 of group blue
 * @param office        {@code office}: whether the services of {@link io.dubbomesh.demo.office} are exported too
 * @param values        {@code values}: whether those are that have values of all kinds, too many for Dubbo 2.7.8
 */
public record ProviderSettings(
        String name,
        String host,
        int port,
        int threads,
        long delayMs,
        long busyMs,
        Path callsFile,
        String serialization,
        boolean conformance,
        boolean office,
        boolean values) {
    private static final String LOOPBACK = "127.0.0.1";

    /** The same address as one number. */
    private static final String LOOPBACK_FOR_DUBBO = Integer.toString(0x7f000001);

    /** {@code properties} is {@code System::getProperty} in a main. */
    public static ProviderSettings from(UnaryOperator<String> properties, String defaultSerialization) {
        String callsFile = properties.apply("calls.file");
        return new ProviderSettings(
                text(properties, "name", "demo"),
                text(properties, "host", "127.0.0.1"),
                number(properties, "port", 20880, 1, 65_535),
                number(properties, "threads", 200, 1, 10_000),
                number(properties, "delay.ms", 50, 0, 3_600_000),
                number(properties, "busy.ms", 0, 0, 3_600_000),
                callsFile == null ? null : Path.of(callsFile),
                text(properties, "serialization", defaultSerialization),
                flag(properties, "conformance"),
                flag(properties, "office"),
                flag(properties, "values"));
    }

    /**
     * {@link #host} as Dubbo needs it: it takes an address that starts with "127." for a mistake and listens on all
     * addresses.
     */
    public String dubboHost() {
        return host.equals(LOOPBACK) ? LOOPBACK_FOR_DUBBO : host;
    }

    /** Returns the parameters of the URL of {@code IHelloService}: {@code parameters=name=value,...}. */
    public static Map<String, String> parameters(UnaryOperator<String> properties) {
        Map<String, String> parameters = new HashMap<>();
        for (String entry : text(properties, "parameters", "").split(",")) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                parameters.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return parameters;
    }

    private static String text(UnaryOperator<String> properties, String key, String byDefault) {
        String value = properties.apply(key);
        return value == null ? byDefault : value;
    }

    private static boolean flag(UnaryOperator<String> properties, String key) {
        String value = text(properties, key, "false");
        if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw new IllegalArgumentException(key + ": " + value + " (expected: true or false)");
    }

    private static int number(UnaryOperator<String> properties, String key, int byDefault, int from, int to) {
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
            // Reported below, like a number that is out of range.
        }
        throw new IllegalArgumentException(key + ": " + value + " (expected: " + from + "-" + to + ")");
    }
}
