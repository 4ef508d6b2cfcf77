package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.command.ArgumentSources;
import io.dubbomesh.meshctl.mcp.ToolDocument.ArgumentSchema;
import io.dubbomesh.runtime.json.Json;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arguments of a tool as they are typed: each as {@code NAME=VALUE}, or all as one JSON object. */
final class NamedArguments {
    private NamedArguments() {}

    /**
     * Returns the values by name.
     *
     * @param known the arguments that the tool takes
     */
    static Map<String, Object> read(List<String> typed, Map<String, ArgumentSchema> known, InputStream standardInput) {
        boolean isOne = typed.size() == 1 && !isNamed(typed.get(0), known);
        Map<String, Object> object = isOne ? object(typed.get(0), standardInput) : null;
        return object == null ? values(typed, known, standardInput) : object;
    }

    private static Map<String, Object> values(
            List<String> typed, Map<String, ArgumentSchema> known, InputStream standardInput) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (String argument : typed) {
            String name = name(argument);
            if (!isNamed(argument, known)) {
                throw new MeshctlException(argument + " (expected: NAME=VALUE, or one JSON object"
                        + (known.isEmpty()
                                ? "; the tool takes no argument"
                                : ", with " + String.join(", ", known.keySet()))
                        + ')');
            }
            if (names.contains(name)) {
                throw new MeshctlException(name + ": twice (expected: once)");
            }
            names.add(name);
            values.add(argument.substring(name.length() + 1));
        }
        List<String> texts = ArgumentSources.read(values, standardInput);
        Map<String, Object> read = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            boolean isText = known.get(names.get(i)).isText();
            read.put(names.get(i), isText ? texts.get(i) : ArgumentSources.jsonOrText(texts.get(i)));
        }
        return read;
    }

    private static boolean isNamed(String argument, Map<String, ArgumentSchema> known) {
        return argument.indexOf('=') >= 0 && known.containsKey(name(argument));
    }

    /** Returns what is before the first equals sign; nothing if there is none. */
    private static String name(String argument) {
        return argument.substring(0, Math.max(0, argument.indexOf('=')));
    }

    /** Returns null if it is none. */
    private static Map<String, Object> object(String argument, InputStream standardInput) {
        Map<String, Object> object = new LinkedHashMap<>();
        try {
            if (Json.read(ArgumentSources.read(List.of(argument), standardInput).get(0)) instanceof Map<?, ?> members) {
                members.forEach((name, value) -> object.put((String) name, value));
                return object;
            }
        } catch (IllegalArgumentException e) {
            // Another form of argument, or a mistake: what was expected is said for both.
        }
        return null;
    }
}
