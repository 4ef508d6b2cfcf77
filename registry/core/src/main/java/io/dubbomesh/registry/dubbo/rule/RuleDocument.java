package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.runtime.PrintableText;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule as an operator wrote it, in YAML or JSON, or a part of it: members by name. What is of another kind than it
 * should be is refused.
 */
public final class RuleDocument {
    public static final int MAX_LENGTH = 65_536;
    /** The most items of a list. */
    static final int MAX_ITEMS = 1024;

    private static final int MAX_DEPTH = 20;
    private static final int MAX_ALIASES = 10;

    private final Map<?, ?> members;

    private RuleDocument(Map<?, ?> members) {
        this.members = members;
    }

    /** @throws IllegalArgumentException naming what is wrong with it */
    public static RuleDocument parse(String text) {
        return of("the rule", read(text));
    }

    /**
     * Reads a text of lists, maps and scalars.
     *
     * @throws IllegalArgumentException naming what is wrong with it
     */
    public static Object read(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(text.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_LENGTH);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setMaxAliasesForCollections(MAX_ALIASES);
        options.setWarnOnDuplicateKeys(false);
        try {
            return new Yaml(new SafeConstructor(options)).load(text);
        } catch (YAMLException e) {
            String[] lines = String.valueOf(e.getMessage()).strip().split("\n", 2);
            throw new IllegalArgumentException("no YAML: " + PrintableText.brief(lines[0]), e);
        } catch (StackOverflowError e) {
            // A key may hold a list that contains itself, whose hash has no end.
            throw new IllegalArgumentException("no YAML: a key without an end", e);
        }
    }

    private static RuleDocument of(String name, Object value) {
        if (!(value instanceof Map<?, ?> members)) {
            throw new IllegalArgumentException(name + " is no map");
        }
        return new RuleDocument(members);
    }

    public boolean has(String name) {
        return members.get(name) != null;
    }

    /** Returns the member as text; empty if there is none. */
    public String text(String name) {
        return has(name) ? scalar(name, members.get(name)) : "";
    }

    /** Returns the value as Dubbo reads it: anything but {@code true} is false. */
    public boolean flag(String name, boolean otherwise) {
        return has(name) ? Boolean.parseBoolean(scalar(name, members.get(name))) : otherwise;
    }

    /** Returns null if there is none. */
    public RuleDocument part(String name) {
        return has(name) ? of(name, members.get(name)) : null;
    }

    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Object item : list(name)) {
            texts.add(scalar(name, item));
        }
        return texts;
    }

    public List<RuleDocument> parts(String name) {
        List<RuleDocument> parts = new ArrayList<>();
        for (Object item : list(name)) {
            parts.add(of("an item of " + name, item));
        }
        return parts;
    }

    /** Returns all members that are scalars. */
    public Map<String, String> scalars() {
        Map<String, String> scalars = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (isScalar(name) && isScalar(value)) {
                scalars.put(name.toString(), value.toString());
            }
        });
        return scalars;
    }

    private List<?> list(String name) {
        if (!has(name)) {
            return List.of();
        }
        if (!(members.get(name) instanceof List<?> items)) {
            throw new IllegalArgumentException(name + " is no list");
        }
        if (items.size() > MAX_ITEMS) {
            throw new IllegalArgumentException(
                    name + " has " + items.size() + " items (expected: at most " + MAX_ITEMS + ")");
        }
        return items;
    }

    private static String scalar(String name, Object value) {
        if (!isScalar(value)) {
            throw new IllegalArgumentException(name + " is no text");
        }
        return value.toString();
    }

    private static boolean isScalar(Object value) {
        return value instanceof String || value instanceof Number || value instanceof Boolean;
    }
}
