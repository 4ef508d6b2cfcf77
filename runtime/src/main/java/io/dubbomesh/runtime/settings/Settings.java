package io.dubbomesh.runtime.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import io.dubbomesh.runtime.ShownUri;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The settings of a process. A reference file lists every key with its default. A value comes, in this order, from the
 * system property with the key's name, the environment variable {@code DUBBOMESH_} and the key in upper case with
 * {@code _} for {@code .} and {@code -}, or the file that {@code config.file} names. An empty variable counts as not
 * set.
 *
 * <p>Keys are flat: {@code lb} and {@code lb.weight} are two keys, which HOCON cannot nest, so the reference file
 * quotes them. Every value is a text until it is read as a type.
 *
 * <p>A method that reads a wrong value keeps the problem for {@link #check}, so that one start reports every wrong
 * setting. What it returns then is not used: the default, or an allowed value if the default is wrong too; of
 * {@link #parse} the fallback, of {@link #path} null. Not safe for use by several threads.
 */
public final class Settings {
    private static final String QUANTITY = "quantity";
    private static final String NOT_SET = "not set";
    /** The text in place of a secret. */
    private static final String HIDDEN = "***";

    /** The last parts of the keys whose values are secrets themselves, not names of files with them. */
    private static final Set<String> SECRETS = Set.of("token", "tokens", "password", "secret");
    /** The last parts of the keys whose values are files or URLs, which may have secrets among their options. */
    private static final Set<String> LOCATIONS = Set.of("jwks");

    /** The form of the default of every duration, and of no other setting. */
    private static final Pattern DURATION = Pattern.compile("\\d+ (ms|s|m)");

    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?[0-9.]+\\s*");

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final long[] SIZES = {1L << 30, 1L << 20, 1L << 10};
    private static final String[] SIZE_NAMES = {" GiB", " MiB", " KiB"};

    private final Map<String, SettingsLoader.Value> values;
    private final Set<String> problems;

    /**
     * A setting in force.
     *
     * @param value its text, a duration with its unit; {@value #HIDDEN} for a secret that is set, and a URL of keys
     *     without the values of its options
     * @param origin where the text comes from: {@code -Dserver.port},
     *     {@code environment variable DUBBOMESH_SERVER_PORT}, {@code /etc/agent.conf: 3} or {@code default}
     */
    public record Effective(String key, String value, String defaultValue, String origin) {}

    private Settings(SettingsLoader loader) {
        values = loader.values();
        problems = new LinkedHashSet<>(loader.problems());
    }

    /**
     * Returns the settings of this process.
     *
     * @param referenceResource the reference file's name on the class path
     * @throws SettingsException if the configuration file cannot be read; other problems wait for {@link #check}
     */
    public static Settings load(String referenceResource) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            properties.put(name, System.getProperty(name));
        }
        return of(referenceResource, properties, System.getenv());
    }

    /** Loads settings as {@link #load}, with the given properties and environment in place of the process's own. */
    public static Settings of(
            String referenceResource, Map<String, String> properties, Map<String, String> environment) {
        return new Settings(new SettingsLoader(referenceResource, properties, environment));
    }

    /** Returns whether it is set, maybe to its default. */
    public boolean isSet(String key) {
        return value(key).isSet();
    }

    public String text(String key) {
        return value(key).text();
    }

    /** @return a whole number from {@code min} to {@code max}, both included */
    public int integer(String key, int min, int max) {
        return read(key, max == Integer.MAX_VALUE ? ">= " + min : min + "-" + max, min, text -> {
            int number = Integer.parseInt(text.strip());
            return number >= min && number <= max ? number : null;
        });
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
        return read(key, expected, min, text -> {
            long bytes = quantity(text).getBytes(QUANTITY);
            return bytes >= min && bytes <= max ? bytes : null;
        });
    }

    /** @return from a text like {@code 5 s}, {@code 200ms} or {@code 5000}, which is milliseconds */
    public Duration duration(String key, Duration min, Duration max) {
        return read(key, durationText(min) + "-" + durationText(max), min, text -> {
            Duration duration = quantity(text).getDuration(QUANTITY);
            return duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0 ? duration : null;
        });
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

    /** @return the one of {@code allowed} that equals the text, ignoring case */
    public String choice(String key, String... allowed) {
        return read(key, String.join(", ", allowed), allowed[0], text -> {
            for (String choice : allowed) {
                if (choice.equalsIgnoreCase(text.strip())) {
                    return choice;
                }
            }
            return null;
        });
    }

    /** @return null where the text is empty */
    public Path path(String key) {
        try {
            return text(key).isEmpty() ? null : Path.of(text(key));
        } catch (InvalidPathException e) {
            reject(key, "a path");
            return null;
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

    /**
     * Returns a value of a type that this class does not know.
     *
     * @param parser throws IllegalArgumentException for a wrong text, with a message that names it and what was
     *     expected
     * @param fallback what to return for a wrong text
     */
    public <T> T parse(String key, Function<String, T> parser, T fallback) {
        try {
            return parser.apply(text(key));
        } catch (IllegalArgumentException e) {
            problems.add(key + ": " + e.getMessage() + source(key));
            return fallback;
        }
    }

    /** Makes {@link #check} report that the value is not what was expected, after a check beyond the types here. */
    public void reject(String key, String expected) {
        String value = text(key).isEmpty() ? NOT_SET : withUnit(value(key));
        problems.add(key + ": " + value + " (expected: " + expected + ")" + source(key));
    }

    /** Makes {@link #check} report a setting that has to be set, as its default does not do for the other settings. */
    public void rejectDefault(String key, String expected) {
        problems.add(key + ": " + NOT_SET + " (expected: " + expected + ")");
    }

    /**
     * Runs a check of what a setting names, as a file, and keeps what is wrong for {@link #check}. Of a setting that
     * was wrong before nothing is kept, since it would be told twice.
     *
     * @param check throws {@link SettingsException} if something is wrong
     * @return whether nothing was
     */
    public boolean tryCheck(Runnable check) {
        try {
            check.run();
            return true;
        } catch (SettingsException e) {
            for (String problem : e.problems()) {
                String key = problem.substring(0, problem.indexOf(':') + 1);
                if (problems.stream().noneMatch(known -> known.startsWith(key))) {
                    problems.add(problem);
                }
            }
            return false;
        }
    }

    /**
     * Called when all settings have been read, and before any of them is used.
     *
     * @throws SettingsException if one was wrong; it has a line for each
     */
    public void check() {
        if (!problems.isEmpty()) {
            throw new SettingsException(problems);
        }
    }

    /** Returns all settings in the order of the reference file, without secrets: fit to be shown to operators. */
    public List<Effective> effective() {
        List<Effective> all = new ArrayList<>();
        values.forEach((key, value) -> {
            all.add(new Effective(key, shown(key, value), value.defaultText(), origin(key, value)));
        });
        return List.copyOf(all);
    }

    private static String shown(String key, SettingsLoader.Value value) {
        String text = value.text();
        if (isSecret(key) && !text.isEmpty()) {
            return HIDDEN;
        }
        return LOCATIONS.contains(lastPart(key)) && text.contains("://") ? ShownUri.of(text) : withUnit(value);
    }

    /** Returns the text, with the unit that is taken for a duration without one. */
    private static String withUnit(SettingsLoader.Value value) {
        boolean lacksUnit = DURATION.matcher(value.defaultText()).matches()
                && NUMBER.matcher(value.text()).matches();
        return lacksUnit ? value.text().strip() + " ms" : value.text();
    }

    /**
     * Returns the keys of secrets that are given as {@code -Dkey=...}: every user of the machine can read a command
     * line.
     */
    public List<String> secretsOnCommandLine() {
        List<String> keys = new ArrayList<>();
        values.forEach((key, value) -> {
            if (isSecret(key) && !value.text().isEmpty() && value.isSet() && value.source() == null) {
                keys.add(key);
            }
        });
        return List.copyOf(keys);
    }

    private static boolean isSecret(String key) {
        return SECRETS.contains(lastPart(key));
    }

    private static String lastPart(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    private static String origin(String key, SettingsLoader.Value value) {
        if (!value.isSet()) {
            return "default";
        }
        return value.source() == null ? "-D" + key : value.source().replaceFirst("^in (the )?", "");
    }

    private SettingsLoader.Value value(String key) {
        SettingsLoader.Value value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(key + ": not in the reference file");
        }
        return value;
    }

    private String source(String key) {
        String source = value(key).source();
        return source == null ? "" : ", " + source;
    }

    /**
     * Returns the parsed value; if it is wrong, the default, so that no other setting looks wrong because of it.
     *
     * @param fallback for a default that is wrong too, because the setting must be set
     */
    private <T> T read(String key, String expected, T fallback, Function<String, T> parser) {
        T parsed = parsed(text(key), parser);
        if (parsed != null) {
            return parsed;
        }
        reject(key, expected);
        T byDefault = parsed(value(key).defaultText(), parser);
        return byDefault == null ? fallback : byDefault;
    }

    private static <T> T parsed(String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException | ConfigException e) {
            return null;
        }
    }

    private static Config quantity(String text) {
        return ConfigValueFactory.fromAnyRef(text).atPath(QUANTITY);
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
}
