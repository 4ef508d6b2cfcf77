package io.dubbomesh.protocol.schema;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The names of schemas: those of the classes without their packages, {@code Page_Order} of {@code
 * com.example.Page<com.example.Order>}; with them where two classes would have the same name. They depend on the names
 * of the classes alone, and so are the same in every agent.
 */
public final class SchemaNames {
    private final String prefix;
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    /**
     * Names schemas.
     *
     * @param prefix   in front of each; empty for none
     * @param reserved names that no class gets
     * @param classes  the names of those that there are, with type arguments
     */
    public SchemaNames(String prefix, Set<String> reserved, Collection<String> classes) {
        this.prefix = prefix;
        taken.addAll(reserved);
        Map<String, Long> uses =
                classes.stream().collect(Collectors.groupingBy(SchemaNames::simple, Collectors.counting()));
        for (String name : new TreeSet<>(classes)) {
            String simple = simple(name);
            add(name, uses.get(simple) > 1 ? allowed(name) : simple);
        }
    }

    /** Returns the name for a class. */
    public String of(String className) {
        String known = names.get(className);
        return known != null ? known : add(className, simple(className));
    }

    private String add(String className, String wanted) {
        String name = prefix + wanted;
        if (!taken.add(name)) {
            String whole = prefix + allowed(className);
            name = whole;
            for (int i = 2; !taken.add(name); i++) {
                name = whole + '-' + i;
            }
        }
        names.put(className, name);
        return name;
    }

    /** Returns the name of a type without the packages of the classes that it consists of. */
    public static String simple(String typeName) {
        StringBuilder simple = new StringBuilder();
        int begin = 0;
        for (int i = 0; i < typeName.length(); i++) {
            char c = typeName.charAt(i);
            switch (c) {
                case '.', '/' -> simple.setLength(begin);
                case '<', ',' -> begin = simple.append('_').length();
                case '>', ' ' -> {}
                case '[' -> simple.append("Array");
                case ']' -> {}
                case '$' -> simple.append('.');
                case '?' -> simple.append("Any");
                default -> simple.append(isAllowed(c) ? c : '_');
            }
        }
        return simple.toString();
    }

    private static String allowed(String typeName) {
        StringBuilder allowed = new StringBuilder();
        for (int i = 0; i < typeName.length(); i++) {
            char c = typeName.charAt(i);
            if (c == '$') {
                allowed.append('.');
            } else if (c != '>') {
                allowed.append(isAllowed(c) || c == '.' ? c : '_');
            }
        }
        return allowed.toString();
    }

    private static boolean isAllowed(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
    }
}
