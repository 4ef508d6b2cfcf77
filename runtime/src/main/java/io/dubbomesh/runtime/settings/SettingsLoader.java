package io.dubbomesh.runtime.settings;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Collects the text of each setting from its sources, from the weakest to the strongest. */
final class SettingsLoader {
    private static final String FILE_KEY = "config.file";
    private static final String VARIABLE_PREFIX = "DUBBOMESH_";
    private static final char COMMENT = '#';
    private static final char QUOTE = '"';

    private final Map<String, Value> values = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final KnownKeys keys;

    /**
     * The text of a setting.
     *
     * @param defaultText of the reference file
     * @param source      null for a default, and for a system property, since a message names the property itself
     */
    record Value(String text, String defaultText, String source, boolean isSet) {
        Value with(String newText, String newSource) {
            return new Value(newText, defaultText, newSource, true);
        }
    }

    /** @throws SettingsException if the configuration file cannot be read, so that what it sets is not known */
    SettingsLoader(String referenceResource, Map<String, String> properties, Map<String, String> environment) {
        readReference(referenceResource);
        Set<String> known = new LinkedHashSet<>(values.keySet());
        known.add(FILE_KEY);
        keys = new KnownKeys(known);
        String file = properties.get(FILE_KEY);
        if (file == null) {
            file = environment.getOrDefault(variable(FILE_KEY), "");
        }
        if (!file.isEmpty()) {
            readFile(file);
        }
        readEnvironment(environment);
        readProperties(properties);
    }

    /** Returns the values by key: every key of the reference file has one. */
    Map<String, Value> values() {
        return values;
    }

    /** Returns the faults in the names of settings, a line each. */
    List<String> problems() {
        return problems;
    }

    /** Reads lines of {@code "key" = value}, which are HOCON too: its parser would take a tenth of the start. */
    private void readReference(String resource) {
        InputStream stream = Settings.class.getClassLoader().getResourceAsStream(resource);
        if (stream == null) {
            throw new IllegalStateException("no " + resource + " on the class path");
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isEmpty() && line.charAt(0) != COMMENT) {
                    readDefault(resource, line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readDefault(String resource, String line) {
        int equals = line.indexOf("\" = ");
        if (line.charAt(0) != QUOTE || equals < 0) {
            throw new IllegalStateException(
                    resource + ": quote the key that begins with " + line.split("[^a-z0-9-]")[0]);
        }
        String text = line.substring(equals + "\" = ".length());
        if (text.charAt(0) == QUOTE) {
            text = text.substring(1, text.lastIndexOf(QUOTE));
        }
        values.put(line.substring(1, equals), new Value(text, text, null, false));
    }

    private void readFile(String name) {
        settingsOf(name).forEach((key, setting) -> {
            Value value = values.get(key);
            if (value == null) {
                problems.add(unknown(key) + ", in " + setting.place());
            } else {
                values.put(key, value.with(setting.text(), "in " + setting.place()));
            }
        });
    }

    private Map<String, SettingsFile.Setting> settingsOf(String file) {
        try {
            Path path = Path.of(file);
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                throw new SettingsException(FILE_KEY + ": " + file + " (expected: a readable file)");
            }
            return SettingsFile.read(path, values.keySet());
        } catch (InvalidPathException | IOException e) {
            throw new SettingsException(FILE_KEY + ": " + e.getMessage());
        }
    }

    private String unknown(String key) {
        String near = keys.nearest(key);
        return key + ": no such setting" + (near == null ? "" : " (did you mean " + near + "?)");
    }

    private void readEnvironment(Map<String, String> environment) {
        values.replaceAll((key, value) -> {
            String variable = variable(key);
            String text = environment.getOrDefault(variable, "");
            return text.isEmpty() ? value : value.with(text, "in the environment variable " + variable);
        });
        refuseMistypedVariables(environment.keySet());
    }

    /**
     * Unknown variables are ignored, even with our prefix, since Kubernetes derives such names from the names of its
     * services; unless they are nearly known.
     */
    private void refuseMistypedVariables(Set<String> names) {
        Map<String, String> variables = new HashMap<>();
        values.keySet().forEach(key -> variables.put(variable(key), key));
        variables.put(variable(FILE_KEY), FILE_KEY);
        KnownKeys known = new KnownKeys(variables.keySet());
        for (String name : new TreeSet<>(names)) {
            if (name.startsWith(VARIABLE_PREFIX) && !variables.containsKey(name)) {
                String near = known.nearest(name, KnownKeys.TYPO_EDITS);
                if (near != null) {
                    problems.add("environment variable " + name + ": no such setting (did you mean " + near + "?)");
                }
            }
        }
    }

    private void readProperties(Map<String, String> properties) {
        values.replaceAll((key, value) -> {
            String text = properties.get(key);
            return text == null ? value : value.with(text, null);
        });
        for (String name : new TreeSet<>(properties.keySet())) {
            if (keys.isMeant(name)) {
                problems.add(unknown(name));
            }
        }
    }

    private static String variable(String key) {
        return VARIABLE_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
