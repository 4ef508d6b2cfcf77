package io.dubbomesh.benchmark.ladder;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** System properties by their types; a wrong one is an IllegalArgumentException that says what is expected. */
final class Settings {
    private final Map<String, String> values;

    Settings(Map<String, String> values) {
        this.values = values;
    }

    static Settings of(Properties properties) {
        return new Settings(properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(key -> key, properties::getProperty)));
    }

    String text(String key, String expected) {
        String value = values.get(key);
        if (value == null) {
            throw wrong(key, "missing", expected);
        }
        return value;
    }

    int number(String key, int byDefault, int from, int to) {
        String value = values.get(key);
        return value == null ? byDefault : number(key, value, from, to);
    }

    /** A part of a setting's value. */
    static int number(String key, String value, int from, int to) {
        try {
            int number = Integer.parseInt(value);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, together with numbers that are out of range.
        }
        throw wrong(key, value, from + "-" + to);
    }

    int port(String key) {
        return number(key, text(key, "0-65535"), 0, 65_535);
    }

    boolean flag(String key, boolean byDefault) {
        return oneOf(key, String.valueOf(byDefault), List.of("true", "false")).equals("true");
    }

    /** A constant by its name in lower case; by default the last one. */
    <E extends Enum<E>> E oneOf(String key, Class<E> type) {
        E[] constants = type.getEnumConstants();
        List<String> names = Arrays.stream(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
        return constants[names.indexOf(oneOf(key, names.get(names.size() - 1), names))];
    }

    private String oneOf(String key, String byDefault, List<String> expected) {
        String value = values.getOrDefault(key, byDefault);
        if (!expected.contains(value)) {
            throw wrong(key, value, String.join(", ", expected));
        }
        return value;
    }

    /** Refuses a key that begins with {@code prefix} and is none of {@code known}, which stand here without it. */
    void requireKnown(String prefix, List<String> known) {
        for (String key : values.keySet()) {
            if (key.startsWith(prefix) && !known.contains(key.substring(prefix.length()))) {
                throw wrong(key, "no such switch", prefix + " and one of " + String.join(", ", known));
            }
        }
    }

    static IllegalArgumentException wrong(String key, String value, String expected) {
        return new IllegalArgumentException(key + ": " + value + " (expected: " + expected + ")");
    }
}
