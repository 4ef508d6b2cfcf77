package io.dubbomesh.acceptance.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Java types as a call names them, from the short names of the table, {@code Map<String,Item[]>}; what is not of the
 * JDK is of the given package.
 */
final class TypeNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z.$]+");
    private static final List<String> PACKAGES =
            List.of("java.lang", "java.math", "java.net", "java.time", "java.util", "java.sql");
    private static final Map<String, String> PRIMITIVES = Map.of(
            "boolean", "Z", "byte", "B", "short", "S", "int", "I", "long", "J", "float", "F", "double", "D", "char",
            "C");

    private TypeNames() {}

    /** {@code List<java.lang.Long>,int[]}. */
    static String javaNames(List<String> types, String packageName) {
        return types.stream()
                .map(type -> NAME.matcher(type)
                        .replaceAll(name -> Matcher.quoteReplacement(qualified(name.group(), packageName))))
                .collect(Collectors.joining(","));
    }

    /** {@code Ljava/util/List<Ljava/lang/Long;>;[I}. */
    static String descriptors(List<String> types, String packageName) {
        return types.stream().map(type -> descriptor(type, packageName)).collect(Collectors.joining());
    }

    private static String descriptor(String type, String packageName) {
        if (type.endsWith("[]")) {
            return "[" + descriptor(type.substring(0, type.length() - 2), packageName);
        }
        String primitive = PRIMITIVES.get(type);
        if (primitive != null) {
            return primitive;
        }
        int arguments = type.indexOf('<');
        String name = qualified(arguments < 0 ? type : type.substring(0, arguments), packageName)
                .replace('.', '/');
        if (arguments < 0) {
            return "L" + name + ";";
        }
        return "L" + name + "<" + descriptors(split(type.substring(arguments + 1, type.length() - 1)), packageName)
                + ">;";
    }

    /** At the commas that are not within angle brackets. */
    static List<String> split(String types) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i < types.length(); i++) {
            char c = types.charAt(i);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(types.substring(begin, i));
                begin = i + 1;
            }
        }
        if (!types.isEmpty()) {
            parts.add(types.substring(begin));
        }
        return parts;
    }

    private static String qualified(String name, String packageName) {
        if (PRIMITIVES.containsKey(name) || name.indexOf('.') >= 0) {
            return name;
        }
        for (String candidate : PACKAGES) {
            try {
                return Class.forName(candidate + "." + name).getName();
            } catch (ClassNotFoundException e) {
                // Perhaps of the next one.
            }
        }
        return packageName + name;
    }
}
