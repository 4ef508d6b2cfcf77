package io.dubbomesh.meshctl.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The name of a Java type as source has it: {@code java.util.List<a.Order[]>}. */
final class JavaTypeText {
    private static final Set<String> COLLECTIONS = Set.of(
            "Collection",
            "List",
            "ArrayList",
            "LinkedList",
            "Set",
            "HashSet",
            "LinkedHashSet",
            "SortedSet",
            "TreeSet",
            "Queue",
            "Deque",
            "Iterable");
    private static final Set<String> TEXTS = Set.of("byte[]", "char[]");

    private JavaTypeText() {}

    /** Returns whether its values are arrays in JSON. */
    static boolean isArray(String type) {
        return type.endsWith("[]") ? !TEXTS.contains(type) : COLLECTIONS.contains(simple(type));
    }

    /** Returns the name without type arguments. */
    static String erased(String type) {
        int open = type.indexOf('<');
        return open < 0 ? type : type.substring(0, open);
    }

    /** Returns the name without package and type arguments. */
    static String simple(String type) {
        String erased = erased(type);
        return erased.substring(erased.lastIndexOf('.') + 1);
    }

    /** Returns the type arguments. */
    static List<String> arguments(String type) {
        List<String> arguments = new ArrayList<>();
        int begin = type.indexOf('<') + 1;
        int end = type.lastIndexOf('>');
        int depth = 0;
        for (int i = begin; begin > 0 && i <= end; i++) {
            char c = type.charAt(i);
            if (depth == 0 && (c == ',' || i == end)) {
                arguments.add(type.substring(begin, i).strip());
                begin = i + 1;
            }
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
        }
        return arguments;
    }
}
