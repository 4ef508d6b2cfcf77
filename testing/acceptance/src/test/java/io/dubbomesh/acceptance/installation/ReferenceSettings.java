package io.dubbomesh.acceptance.installation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An agent's settings with their defaults, as its reference.conf has them. */
final class ReferenceSettings {
    private static final Pattern SETTING = Pattern.compile("^\"([a-z0-9.-]+)\" = \"?(.*?)\"?$", Pattern.MULTILINE);

    static final ReferenceSettings CONSUMER = new ReferenceSettings("consumer");
    static final ReferenceSettings PROVIDER = new ReferenceSettings("provider");

    private final Map<String, String> defaults = new TreeMap<>();

    private ReferenceSettings(String kind) {
        Path file = Path.of("../..", kind + "-agent", "src/main/resources/io/dubbomesh", kind, "reference.conf");
        Matcher setting;
        try {
            setting = SETTING.matcher(Files.readString(file));
        } catch (IOException e) {
            throw new AssertionError(file.toString(), e);
        }
        while (setting.find()) {
            defaults.put(setting.group(1), setting.group(2));
        }
    }

    /** Returns the settings of the agent that an image has in it, null for other images. */
    static ReferenceSettings ofImage(String image) {
        if (image.contains("consumer-agent")) {
            return CONSUMER;
        }
        return image.contains("provider-agent") ? PROVIDER : null;
    }

    boolean hasKey(String key) {
        return defaults.containsKey(key);
    }

    boolean hasVariable(String name) {
        return defaults.keySet().stream().anyMatch(key -> variable(key).equals(name));
    }

    String byDefault(String key) {
        return defaults.get(key);
    }

    static String variable(String key) {
        return "DUBBOMESH_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
