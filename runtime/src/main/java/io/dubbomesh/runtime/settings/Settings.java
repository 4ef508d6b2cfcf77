package io.dubbomesh.runtime.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of a process: every key stands with its default in a reference file, and is overridden by, from the strongest
 * to the weakest, a system property of its name, an environment variable {@code DUBBOMESH_} and its name in upper case with
 * {@code _} for {@code .} and {@code -}, and the file that {@code config.file} names. An empty variable counts as not set.
 *
 * <p>Keys are flat: {@code lb} and {@code lb.weight} are two of them, which HOCON cannot nest, so the reference file quotes
 * its keys. Every value is a text until it is asked for by a type; an unfit one throws {@link SettingsException}.
 */
public final class Settings {
    private static final String FILE_KEY = "config.file";
    private static final String VARIABLE_PREFIX = "DUBBOMESH_";
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final long[] SIZES = {1L << 30, 1L << 20, 1L << 10};
    private static final String[] SIZE_NAMES = {" GiB", " MiB", " KiB"};

    private final Map<String, Value> values = new LinkedHashMap<>();

    /** {@code source} is null for a default and for a system property: the one who typed it sees it in the same line. */
    private record Value(String text, String source, boolean isSet) {}

    private Settings() {}

    /**
     * The settings of this process.
     *
     * @param referenceResource the reference file's name on the class path
     */
    public static Settings load(String referenceResource) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            properties.put(name, System.getProperty(name));
        }
        return of(referenceResource, properties, System.getenv());
    }

    /** As {@link #load}, with the given properties and environment in place of the process's own. */
    public static Settings of(
            String referenceResource, Map<String, String> properties, Map<String, String> environment) {
        Settings settings = new Settings();
        settings.readReference(referenceResource);
        String file = properties.get(FILE_KEY);
        if (file == null) {
            file = environment.getOrDefault(variable(FILE_KEY), "");
        }
        if (!file.isEmpty()) {
            settings.readFile(file);
        }
        settings.readEnvironment(environment);
        settings.readProperties(properties);
        return settings;
    }

    private void readReference(String resource) {
        URL url = Settings.class.getClassLoader().getResource(resource);
        if (url == null) {
            throw new IllegalStateException("no " + resource + " on the class path");
        }
        Config reference = ConfigFactory.parseURL(url);
        for (Map.Entry<String, ConfigValue> entry : reference.root().entrySet()) {
            if (entry.getValue() instanceof ConfigObject) {
                throw new IllegalStateException(resource + ": quote the key that begins with " + entry.getKey());
            }
            String text = reference.getString(ConfigUtil.quoteString(entry.getKey()));
            values.put(entry.getKey(), new Value(text, null, false));
        }
    }

    private void readFile(String name) {
        Path path;
        Map<String, SettingsFile.Setting> settings;
        try {
            path = Path.of(name);
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                throw new SettingsException(FILE_KEY + ": " + name + " (expected: a readable file)");
            }
            settings = SettingsFile.read(path, values.keySet());
        } catch (InvalidPathException | IOException e) {
            throw new SettingsException(FILE_KEY + ": " + e.getMessage());
        }
        settings.forEach((key, setting) -> {
            if (!values.containsKey(key)) {
                String near = nearest(key);
                String hint = near == null ? "" : " (did you mean " + near + "?)";
                throw new SettingsException(key + ": no such setting" + hint + ", in " + setting.place());
            }
            values.put(key, new Value(setting.text(), "in " + setting.place(), true));
        });
    }

    /**
     * Unknown variables are let be, even with our prefix: Kubernetes makes such names of its own from the names of services.
     */
    private void readEnvironment(Map<String, String> environment) {
        values.replaceAll((key, value) -> {
            String variable = variable(key);
            String text = environment.getOrDefault(variable, "");
            return text.isEmpty() ? value : new Value(text, "in the environment variable " + variable, true);
        });
    }

    private void readProperties(Map<String, String> properties) {
        values.replaceAll((key, value) -> {
            String text = properties.get(key);
            return text == null ? value : new Value(text, null, true);
        });
    }

    private static String variable(String key) {
        return VARIABLE_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** Whether somebody set it, be it to its default. */
    public boolean isSet(String key) {
        return value(key).isSet;
    }

    public String text(String key) {
        return value(key).text;
    }

    /** @return a whole number from {@code min} to {@code max}, both included */
    public int integer(String key, int min, int max) {
        String expected = max == Integer.MAX_VALUE ? ">= " + min : min + "-" + max;
        try {
            int number = Integer.parseInt(text(key).strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, in the same words as a number out of range.
        }
        throw invalid(key, expected);
    }

    /** @return a port to listen on; 0, which messages do not offer, is any free one */
    public int port(String key) {
        return text(key).strip().equals("0") ? 0 : integer(key, 1, 65535);
    }

    /** @return bytes, as {@link #size(String, long, long)} */
    public int size(String key, int min, int max) {
        return (int) size(key, (long) min, (long) max);
    }

    /** @return bytes, from a text like {@code 64 KiB}, {@code 64k} or {@code 65536} */
    public long size(String key, long min, long max) {
        String expected = max == Long.MAX_VALUE ? ">= " + sizeText(min) : sizeText(min) + "-" + sizeText(max);
        try {
            long bytes = quantity(key).getBytes(key);
            if (bytes >= min && bytes <= max) {
                return bytes;
            }
        } catch (ConfigException e) {
            // Told below, in the same words as a size out of range.
        }
        throw invalid(key, expected);
    }

    /** @return from a text like {@code 5 s}, {@code 200ms} or {@code 5000}, which is milliseconds */
    public Duration duration(String key, Duration min, Duration max) {
        try {
            Duration duration = quantity(key).getDuration(key);
            if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
                return duration;
            }
        } catch (ConfigException e) {
            // Told below, in the same words as a duration out of range.
        }
        throw invalid(key, durationText(min) + "-" + durationText(max));
    }

    /** @return a duration of at least a millisecond and at most a day */
    public long millis(String key) {
        return duration(key, SHORTEST, LONGEST).toMillis();
    }

    /** @return a duration of at least a millisecond and at most a day */
    public long nanos(String key) {
        return duration(key, SHORTEST, LONGEST).toNanos();
    }

    /** @return true or false */
    public boolean flag(String key) {
        return choice(key, "true", "false").equals("true");
    }

    /** @return the one of {@code allowed} that the text equals but for upper and lower case */
    public String choice(String key, String... allowed) {
        String text = text(key).strip();
        for (String choice : allowed) {
            if (choice.equalsIgnoreCase(text)) {
                return choice;
            }
        }
        throw invalid(key, String.join(", ", allowed));
    }

    /** @return null where the text is empty */
    public Path path(String key) {
        String text = text(key);
        try {
            return text.isEmpty() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw invalid(key, "a path");
        }
    }

    /** @return the parts between commas, without the white space around them and without empty ones */
    public List<String> list(String key) {
        List<String> items = new ArrayList<>();
        for (String item : text(key).split(",")) {
            if (!item.isBlank()) {
                items.add(item.strip());
            }
        }
        return List.copyOf(items);
    }

    /** For a check that goes beyond the types here: what to throw if the key's value is not what was expected. */
    public SettingsException invalid(String key, String expected) {
        Value value = value(key);
        String source = value.source == null ? "" : ", " + value.source;
        return new SettingsException(key + ": " + value.text + " (expected: " + expected + ")" + source);
    }

    private Value value(String key) {
        Value value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(key + ": not in the reference file");
        }
        return value;
    }

    private Config quantity(String key) {
        return ConfigValueFactory.fromAnyRef(text(key)).atPath(key);
    }

    private static String sizeText(long bytes) {
        for (int i = 0; i < SIZES.length; i++) {
            if (bytes != 0 && bytes % SIZES[i] == 0) {
                return bytes / SIZES[i] + SIZE_NAMES[i];
            }
        }
        return bytes + " B";
    }

    private static String durationText(Duration duration) {
        long ns = duration.toNanos();
        return ns % 1_000_000_000L == 0
                ? duration.toSeconds() + " s"
                : ns % 1_000_000L == 0 ? duration.toMillis() + " ms" : ns + " ns";
    }

    /** The key that was meant: the one fewest edits away, if they are few for its length; null if there is none. */
    private String nearest(String key) {
        String nearest = null;
        int fewest = Math.max(2, key.length() / 4) + 1;
        for (String candidate : values.keySet()) {
            int edits = edits(key, candidate);
            if (edits < fewest) {
                fewest = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Levenshtein's distance. */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
