package io.dubbomesh.consumer.mcp.tool;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.dubbomesh.consumer.call.ParameterTypes;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.runtime.settings.NoIncludes;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads the file of {@code mcp.tools}, HOCON:
 * <pre>
 * instructions = "For orders of the shop."
 * tools {
 *   place_order {
 *     service = com.example.Shop
 *     method = order
 *     arguments = [ { name = order }, { fixed = false } ]
 *   }
 * }
 * </pre>
 * docs/use/mcp.md has all keys. A key that is not known is refused: a mistyped one would publish more than it says.
 */
public final class ToolFile {
    static final int DEFAULT_MAX_ANSWER = 64 << 10;

    private static final int MOST_ANSWER = 16 << 20;
    private static final int MOST_PAGE = 10_000;
    private static final int MOST_MINUTES = 60;

    /** The names that the specification recommends for tools. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private static final Pattern PLACE = Pattern.compile("(?:String: |text: )?(\\d+): (.*)", Pattern.DOTALL);
    private static final Set<String> OF_FILE = Set.of("instructions", "tools");
    private static final Set<String> OF_TOOL = Set.of(
            "service",
            "method",
            "version",
            "group",
            "parameter-types",
            "title",
            "description",
            "arguments",
            "read-only",
            "idempotent",
            "destructive",
            "timeout",
            "max-answer",
            "page-size",
            "mask");
    private static final Set<String> OF_ARGUMENT = Set.of("name", "description", "optional", "fixed");

    private ToolFile() {}

    /**
     * Reads the text of the file.
     *
     * @throws IllegalArgumentException with the number of the line, what is wrong and what was expected
     */
    public static ToolSet parse(String text) {
        ConfigObject file = read(text);
        DoubledKeys.refuse(text);
        requireKnown(file, OF_FILE, "instructions or tools");
        Map<String, Tool> tools = new LinkedHashMap<>();
        ConfigValue listed = file.get("tools");
        if (listed != null) {
            object(listed, "tools").forEach((name, tool) -> tools.put(name, tool(name, object(tool, name))));
        }
        return new ToolSet(text(file, "instructions", ""), tools);
    }

    private static ConfigObject read(String text) {
        try {
            Config config = ConfigFactory.parseString(
                    text,
                    ConfigParseOptions.defaults()
                            .setSyntax(ConfigSyntax.CONF)
                            .setOriginDescription("text")
                            .prependIncluder(NoIncludes.INSTANCE));
            return config.resolve(ConfigResolveOptions.noSystem()).root();
        } catch (ConfigException e) {
            Matcher place = PLACE.matcher(String.valueOf(e.getMessage()));
            throw new IllegalArgumentException(
                    place.matches() ? place.group(1) + ": " + place.group(2) : e.getMessage(), e);
        }
    }

    private static Tool tool(String name, ConfigObject tool) {
        if (!NAME.matcher(name).matches()) {
            throw wrong(tool, name, "name", "1 to 128 letters, digits, _, - and .");
        }
        requireKnown(tool, OF_TOOL, "one of the keys in docs/use/mcp.md");
        List<ToolArgument> arguments = arguments(tool);
        Tool read = new Tool(
                name,
                text(tool, "title", ""),
                text(tool, "description", ""),
                new MethodName(
                        required(tool, "service"),
                        required(tool, "method"),
                        descriptor(tool),
                        version(text(tool, "version", "")),
                        text(tool, "group", "")),
                arguments,
                new Tool.Hints(flag(tool, "read-only"), flag(tool, "idempotent"), flag(tool, "destructive")),
                timeoutMs(tool),
                new AnswerRules(
                        (int) size(tool, "max-answer", DEFAULT_MAX_ANSWER),
                        integer(tool, "page-size", 0, MOST_PAGE),
                        masked(tool)));
        if (read.answer().isPaged() && read.argument(AnswerFilter.PAGE) != null) {
            throw wrong(
                    tool.get("arguments"),
                    AnswerFilter.PAGE,
                    "name",
                    "another name, which page-size has taken for itself");
        }
        return read;
    }

    private static String version(String version) {
        return version.equals(MethodName.NO_VERSION) ? "" : version;
    }

    private static String descriptor(ConfigObject tool) {
        ConfigValue types = tool.get("parameter-types");
        if (types == null) {
            return MethodName.UNKNOWN_TYPES;
        }
        try {
            return ParameterTypes.descriptor(text(tool, "parameter-types", ""));
        } catch (CallException e) {
            throw new IllegalArgumentException(line(types) + e.getMessage(), e);
        }
    }

    private static List<ToolArgument> arguments(ConfigObject tool) {
        List<ToolArgument> arguments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigValue item : list(tool, "arguments")) {
            ToolArgument argument = argument(object(item, "an element of arguments"));
            if (!argument.isFixed() && !names.add(argument.name())) {
                throw wrong(item, argument.name(), "name", "a name that no other argument has");
            }
            arguments.add(argument);
        }
        return List.copyOf(arguments);
    }

    private static ToolArgument argument(ConfigObject argument) {
        requireKnown(argument, OF_ARGUMENT, "name, description, optional or fixed");
        // Without null, which the look-up of a key cannot tell from none.
        boolean isFixed = argument.containsKey("fixed");
        String name = text(argument, "name", "");
        if (isFixed && (argument.containsKey("optional") || argument.containsKey("description"))) {
            throw new IllegalArgumentException(
                    line(argument) + "fixed with optional or description (expected: fixed without them)");
        }
        if (!isFixed && name.isEmpty()) {
            throw new IllegalArgumentException(
                    line(argument) + "an argument without a name (expected: name, or the value that is fixed)");
        }
        Boolean optional = flag(argument, "optional");
        return new ToolArgument(
                name,
                text(argument, "description", ""),
                optional != null && optional,
                isFixed ? json(argument.get("fixed")).getBytes(UTF_8) : null);
    }

    /** Returns the value as JSON. The library would write 2.50 as 2.5. */
    private static String json(ConfigValue value) {
        if (value instanceof ConfigObject object) {
            StringJoiner members = new StringJoiner(",", "{", "}");
            new TreeMap<>(object).forEach((name, member) -> members.add(Json.write(name) + ':' + json(member)));
            return members.toString();
        }
        if (value instanceof ConfigList list) {
            StringJoiner items = new StringJoiner(",", "[", "]");
            list.forEach(item -> items.add(json(item)));
            return items.toString();
        }
        return value.valueType() == ConfigValueType.NUMBER ? scalar(value, "fixed") : Json.write(value.unwrapped());
    }

    private static List<List<String>> masked(ConfigObject tool) {
        List<List<String>> paths = new ArrayList<>();
        for (ConfigValue item : list(tool, "mask")) {
            String path = scalar(item, "mask");
            List<String> names = List.of(path.split("\\.", -1));
            if (names.stream().anyMatch(name -> name.isEmpty() || !name.equals(name.strip()))) {
                throw wrong(item, path, "mask", "names of members with dots between them, * for any");
            }
            paths.add(names);
        }
        return List.copyOf(paths);
    }

    private static int timeoutMs(ConfigObject tool) {
        ConfigValue value = tool.get("timeout");
        if (value == null) {
            return 0;
        }
        try {
            long ms = tool.toConfig().getDuration("timeout").toMillis();
            if (ms >= 1 && ms <= Duration.ofMinutes(MOST_MINUTES).toMillis()) {
                return (int) ms;
            }
        } catch (ConfigException e) {
            // Refused below.
        }
        throw wrong(value, scalar(value, "timeout"), "timeout", "a duration such as 2 s, at most 60 m");
    }

    private static long size(ConfigObject tool, String key, int byDefault) {
        ConfigValue value = tool.get(key);
        if (value == null) {
            return byDefault;
        }
        try {
            long bytes = tool.toConfig().getBytes(key);
            if (bytes >= 1 && bytes <= MOST_ANSWER) {
                return bytes;
            }
        } catch (ConfigException e) {
            // Refused below.
        }
        throw wrong(value, scalar(value, key), key, "a size such as 64 KiB, at most 16 MiB");
    }

    private static int integer(ConfigObject tool, String key, int byDefault, int most) {
        ConfigValue value = tool.get(key);
        if (value == null) {
            return byDefault;
        }
        try {
            int number = new BigDecimal(scalar(value, key)).intValueExact();
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // Refused below.
        }
        throw wrong(value, scalar(value, key), key, "a whole number, 1 to " + most);
    }

    /** Returns null if it is not there. */
    private static Boolean flag(ConfigObject object, String key) {
        ConfigValue value = object.get(key);
        if (value == null) {
            return null;
        }
        if (value.unwrapped() instanceof Boolean bool) {
            return bool;
        }
        throw wrong(value, scalar(value, key), key, "true or false");
    }

    private static String required(ConfigObject object, String key) {
        String text = text(object, key, "");
        if (text.isEmpty()) {
            throw new IllegalArgumentException(line(object) + "no " + key + " (expected: " + key + " = NAME)");
        }
        return text;
    }

    private static String text(ConfigObject object, String key, String byDefault) {
        ConfigValue value = object.get(key);
        return value == null ? byDefault : scalar(value, key);
    }

    private static String scalar(ConfigValue value, String key) {
        return switch (value.valueType()) {
            case STRING, NUMBER, BOOLEAN -> value.atKey(key).getString(key);
            case OBJECT, LIST, NULL ->
                throw wrong(value, value.valueType().name().toLowerCase(Locale.ROOT), key, "a text");
        };
    }

    private static ConfigObject object(ConfigValue value, String what) {
        if (value instanceof ConfigObject object) {
            return object;
        }
        throw wrong(
                value, value.valueType() == ConfigValueType.LIST ? "a list" : scalar(value, "value"), what, "{ ... }");
    }

    private static List<ConfigValue> list(ConfigObject object, String key) {
        ConfigValue value = object.get(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof ConfigList list) {
            return list;
        }
        throw wrong(value, value instanceof ConfigObject ? "{ ... }" : scalar(value, key), key, "[ ... ]");
    }

    private static void requireKnown(ConfigObject object, Set<String> known, String expected) {
        for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
            if (!known.contains(entry.getKey())) {
                throw wrong(entry.getValue(), entry.getKey(), "key", expected);
            }
        }
    }

    private static IllegalArgumentException wrong(ConfigValue at, String value, String what, String expected) {
        return new IllegalArgumentException(
                line(at) + what + ": \"" + PrintableText.brief(value) + "\" (expected: " + expected + ')');
    }

    private static String line(ConfigValue value) {
        int line = value.origin().lineNumber();
        return line < 1 ? "" : line + ": ";
    }
}
