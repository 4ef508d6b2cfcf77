package io.dubbomesh.runtime;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import com.typesafe.config.parser.ConfigDocument;
import com.typesafe.config.parser.ConfigDocumentFactory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;

/**
 * A file of settings as flat keys and texts, whether it spells {@code server.port}, {@code "server.port"} or
 * {@code server { port = 1 }}. A list becomes its items with commas between them.
 */
final class SettingsFile {
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    /** One value and where it stands, as in {@code /etc/agent.conf: 3}. */
    record Setting(String text, String place) {}

    private SettingsFile() {}

    /**
     * Reads HOCON (.conf), JSON (.json) or properties (.properties).
     *
     * @param known the keys that exist; others are handed over as well
     */
    static Map<String, Setting> read(Path path, Set<String> known) throws IOException {
        SettingsFile file = new SettingsFile();
        if (path.toString().endsWith(".properties")) {
            file.readProperties(path);
        } else {
            file.readHocon(path, known);
        }
        return file.settings;
    }

    /** HOCON's own reading of properties drops {@code lb} if there is also an {@code lb.weight}. */
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
        try {
            ConfigParseOptions options = ConfigParseOptions.defaults().setAllowMissing(false);
            Config whole = ConfigFactory.parseFile(path.toFile(), options).resolve();
            addAll("", whole.root());
            if (!path.toString().endsWith(".json")) {
                ConfigDocument document = ConfigDocumentFactory.parseFile(path.toFile(), options);
                for (String key : known) {
                    addHidden(key, document, whole, known);
                }
            }
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
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
                    throw new IOException(key + " stands in two places: " + other.place + " and " + setting.place);
                }
            }
        }
    }

    /**
     * To HOCON {@code lb = x} and {@code lb.weight = 3} are one thing, of which the later line survives. To us they are two
     * settings, so the shorter one is looked for in a copy of the file without the longer ones.
     */
    private void addHidden(String key, ConfigDocument document, Config whole, Set<String> known) throws IOException {
        ConfigDocument without = document;
        for (String other : known) {
            if (other.startsWith(key + '.') && settings.containsKey(other)) {
                without = without.withoutPath(other);
            }
        }
        if (without == document || settings.containsKey(key)) {
            return;
        }
        Config rest =
                ConfigFactory.parseString(without.render()).withFallback(whole).resolve();
        // As a path, not a name: quoted names cannot hide each other and have been found before.
        String path = ConfigUtil.joinPath(List.of(key.split("\\.")));
        if (rest.hasPath(path) && !(rest.getValue(path) instanceof ConfigObject)) {
            settings.put(key, setting(rest.getValue(path)));
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

    /** As it was written: the number 1e3 stays 1e3. */
    private static String text(ConfigValue value) {
        return value.valueType() == ConfigValueType.NULL
                ? ""
                : value.atKey("value").getString("value");
    }
}
