package io.dubbomesh.consumer.openapi;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.settings.NoIncludes;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.runtime.settings.WatchedFile;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file of {@code openapi.descriptions}, HOCON, which is read again when it changes:
 * <pre>
 * services {
 *   "com.example.Shop" {
 *     description = "Sells tea."
 *     methods {
 *       order { description = "Orders.", result = "Its number.", parameters { order = "What is wanted." } }
 *     }
 *   }
 * }
 * classes { "com.example.Order" { description = "An order.", fields { item = "What." } } }
 * </pre>
 */
public final class DescriptionFile implements AutoCloseable {
    static final String SETTING = "openapi.descriptions";
    private static final long CHECK_MS = 1000;
    private static final String DESCRIPTION = "description";
    private static final Pattern PLACE = Pattern.compile("(?:String: |text: )?(\\d+): (.*)", Pattern.DOTALL);

    /** Null where there is no file. */
    private final ScheduledThreadPoolExecutor thread;

    private volatile ServiceTexts texts = ServiceTexts.NONE;

    private DescriptionFile(ScheduledThreadPoolExecutor thread) {
        this.thread = thread;
    }

    /**
     * Reads the file, and begins to follow it.
     *
     * @param path null for none
     * @throws SettingsException if the file cannot be read or understood; names setting, path, line and reason
     */
    public static DescriptionFile open(Path path) {
        if (path == null) {
            return new DescriptionFile(null);
        }
        DescriptionFile file = new DescriptionFile(
                new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("openapi-descriptions", true)));
        WatchedFile watched = new WatchedFile(SETTING, path, text -> file.texts = parse(text));
        PeriodicTask.start(file.thread, "file of " + SETTING, CHECK_MS, watched::readAgain);
        return file;
    }

    /** Has {@link Settings#check} report a file that {@link #open} would refuse. */
    public static void check(Settings settings, Path path) {
        if (path != null) {
            settings.tryCheck(() -> new WatchedFile(SETTING, path, DescriptionFile::parse));
        }
    }

    /** Returns the texts in force. Called by any thread. */
    ServiceTexts texts() {
        return texts;
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }

    /**
     * Reads the text of the file.
     *
     * @throws IllegalArgumentException with the number of the line, what is wrong and what was expected
     */
    static ServiceTexts parse(String text) {
        ConfigObject file = read(text);
        requireKnown(file, Set.of("services", "classes"), "services or classes");
        return new ServiceTexts(
                text,
                each(file, "services", DescriptionFile::service),
                each(file, "classes", DescriptionFile::ofClass));
    }

    private static ConfigObject read(String text) {
        try {
            return ConfigFactory.parseString(
                            text,
                            ConfigParseOptions.defaults()
                                    .setSyntax(ConfigSyntax.CONF)
                                    .setOriginDescription("text")
                                    .prependIncluder(NoIncludes.INSTANCE))
                    .resolve(ConfigResolveOptions.noSystem())
                    .root();
        } catch (ConfigException e) {
            Matcher place = PLACE.matcher(String.valueOf(e.getMessage()));
            throw new IllegalArgumentException(
                    place.matches() ? place.group(1) + ": " + place.group(2) : e.getMessage(), e);
        }
    }

    private static OfService service(ConfigObject service) {
        requireKnown(
                service, Set.of(DESCRIPTION, "methods"), "description or methods; names with dots stand in quotes");
        return new OfService(text(service, DESCRIPTION), each(service, "methods", DescriptionFile::method));
    }

    private static OfMethod method(ConfigObject method) {
        requireKnown(method, Set.of(DESCRIPTION, "result", "parameters"), "description, result or parameters");
        return new OfMethod(text(method, DESCRIPTION), text(method, "result"), texts(method, "parameters"));
    }

    private static OfClass ofClass(ConfigObject type) {
        requireKnown(type, Set.of(DESCRIPTION, "fields"), "description or fields; names with dots stand in quotes");
        return new OfClass(text(type, DESCRIPTION), texts(type, "fields"));
    }

    private static <T> Map<String, T> each(ConfigObject object, String key, Function<ConfigObject, T> reader) {
        Map<String, T> read = new TreeMap<>();
        object(object, key).forEach((name, value) -> {
            if (!(value instanceof ConfigObject one)) {
                throw wrong(value, name, "{ ... }");
            }
            read.put(name, reader.apply(one));
        });
        return read;
    }

    private static Map<String, String> texts(ConfigObject object, String key) {
        Map<String, String> texts = new TreeMap<>();
        ConfigObject named = object(object, key);
        named.keySet().forEach(name -> texts.put(name, text(named, name)));
        return texts;
    }

    /** Returns an empty one if there is none. */
    private static ConfigObject object(ConfigObject object, String key) {
        ConfigValue value = object.get(key);
        if (value == null) {
            return ConfigFactory.empty().root();
        }
        if (value instanceof ConfigObject found) {
            return found;
        }
        throw wrong(value, key, "{ ... }");
    }

    /** Returns null if there is none. */
    private static String text(ConfigObject object, String key) {
        ConfigValue value = object.get(key);
        if (value == null || value.unwrapped() instanceof String) {
            return value == null ? null : (String) value.unwrapped();
        }
        throw wrong(value, key, "a text; names with dots stand in quotes");
    }

    private static void requireKnown(ConfigObject object, Set<String> known, String expected) {
        object.forEach((key, value) -> {
            if (!known.contains(key)) {
                throw wrong(value, key, expected);
            }
        });
    }

    private static IllegalArgumentException wrong(ConfigValue at, String key, String expected) {
        int line = at.origin().lineNumber();
        return new IllegalArgumentException(
                (line < 1 ? "" : line + ": ") + "\"" + PrintableText.brief(key) + "\" (expected: " + expected + ')');
    }
}
