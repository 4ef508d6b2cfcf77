package io.dubbomesh.runtime.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * Reads a configuration file into flat keys and texts, whether it says {@code server.port}, {@code "server.port"} or
 * {@code server { port = 1 }}. A list becomes its items, separated by commas.
 */
final class SettingsFile {
    private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*include\\s");
    /** The place where a field may begin. */
    private static final String FIELD = "(?m)((?:^|[{,])[ \\t]*)";

    private final Map<String, Setting> settings = new LinkedHashMap<>();

    /** A value and its place, such as {@code /etc/agent.conf: 3}. */
    record Setting(String text, String place) {}

    private SettingsFile() {}

    /**
     * Reads HOCON (.conf), JSON (.json) or properties (.properties).
     *
     * @param known the keys that exist; unknown ones are returned as well
     */
    static Map<String, Setting> read(Path path, Set<String> known) throws IOException {
        SettingsFile file = new SettingsFile();
        try {
            if (path.toString().endsWith(".properties")) {
                file.readProperties(path);
            } else {
                file.readHocon(path, known);
            }
        } catch (CharacterCodingException e) {
            throw new IOException(path + ": not UTF-8", e);
        }
        return file.settings;
    }

    /** HOCON's parser of properties drops {@code lb} if there is also an {@code lb.weight}. */
    private void readProperties(Path path) throws IOException {
        Properties properties = new Properties();
        try (BufferedReader reader = Files.newBufferedReader(path)) {
            properties.load(reader);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        }
        for (String key : properties.stringPropertyNames()) {
            settings.put(key, new Setting(properties.getProperty(key), path.toString()));
        }
    }

    private void readHocon(Path path, Set<String> known) throws IOException {
        String text = Files.readString(path);
        boolean json = path.toString().endsWith(".json");
        if (!json) {
            if (INCLUDE.matcher(text).find()) {
                throw new IOException(path + ": include is not supported");
            }
            text = withNestingKeysQuoted(text, path, known);
        }
        try {
            Config whole = ConfigFactory.parseString(
                            text,
                            ConfigParseOptions.defaults()
                                    .setSyntax(json ? ConfigSyntax.JSON : ConfigSyntax.CONF)
                                    .setOriginDescription(path.toString()))
                    .resolve();
            addAll("", whole.root());
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Quotes keys that nest. In HOCON {@code lb = x} and {@code lb.weight = 3} set the same key, and the later line
     * wins. Quoted keys are two keys, as they are here. A file in which quoting is not enough is refused, so that no
     * setting is lost silently.
     */
    private static String withNestingKeysQuoted(String text, Path path, Set<String> known) throws IOException {
        for (String key : known) {
            for (String longer : known) {
                if (longer.startsWith(key + '.')) {
                    text = withKeyQuoted(withKeyQuoted(text, key), longer);
                    if (isAssignedAndNested(text, key, longer)) {
                        throw new IOException(path + ": " + key + " is a setting itself, so do not nest " + longer
                                + " in it: write it flat");
                    }
                }
            }
        }
        return text;
    }

    private static String withKeyQuoted(String text, String key) {
        if (key.indexOf('.') < 0) {
            return text;
        }
        String name = Pattern.quote(key);
        return text.replaceAll(FIELD + name + "(?=\\s*[=:])", "$1\"" + key + '"')
                .replaceAll("\\$\\{(\\??)" + name + "}", "\\${$1\"" + key + "\"}");
    }

    private static boolean isAssignedAndNested(String text, String key, String longer) {
        String written = Pattern.quote(key);
        int dot = key.lastIndexOf('.');
        if (dot > 0 && hasBlock(text, key.substring(0, dot))) {
            written += '|' + Pattern.quote(key.substring(dot + 1));
        }
        String name = FIELD + "\"?(?:" + written + ")\"?";
        String rest = Pattern.quote(longer.substring(key.length()));
        return Pattern.compile(name + "\\s*[=:]\\s*[^\\s{]").matcher(text).find()
                && Pattern.compile(name + "(?:\\s*[=:]?\\s*\\{|" + rest + "\\s*[=:])")
                        .matcher(text)
                        .find();
    }

    /** Returns whether keys may stand in a block of this name, without it. */
    private static boolean hasBlock(String text, String name) {
        String last = Pattern.quote(name.substring(name.lastIndexOf('.') + 1));
        return Pattern.compile("(?m)(?:^|[{,.])[ \\t]*\"?" + last + "\"?\\s*[=:]?\\s*\\{")
                .matcher(text)
                .find();
    }

    private void addAll(String prefix, ConfigObject object) throws IOException {
        for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
            String key = prefix + entry.getKey();
            ConfigValue value = entry.getValue();
            if (value instanceof ConfigObject nested) {
                addAll(key + '.', nested);
            } else if (value.valueType() != ConfigValueType.NULL) {
                Setting setting = setting(value);
                Setting other = settings.put(key, setting);
                if (other != null) {
                    throw new IOException(key + " is set in two places: " + other.place + " and " + setting.place);
                }
            }
        }
    }

    private static Setting setting(ConfigValue value) throws IOException {
        String place = value.origin().description();
        if (!(value instanceof ConfigList list)) {
            return new Setting(text(value), place);
        }
        StringJoiner items = new StringJoiner(",");
        for (ConfigValue item : list) {
            if (item instanceof ConfigObject || item instanceof ConfigList) {
                throw new IOException(place + ": a list of more than plain values");
            }
            items.add(text(item));
        }
        return new Setting(items.toString(), place);
    }

    /** Returns the text as it is written: the number 1e3 stays 1e3. */
    private static String text(ConfigValue value) {
        return value.valueType() == ConfigValueType.NULL
                ? ""
                : value.atKey("value").getString("value");
    }
}
