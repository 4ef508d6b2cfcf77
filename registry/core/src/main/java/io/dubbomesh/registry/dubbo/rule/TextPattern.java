package io.dubbomesh.registry.dubbo.rule;

import java.util.List;
import java.util.Set;

/** One way in which a rule of Dubbo 3 compares the value of a parameter. */
public record TextPattern(String kind, String text) {
    private static final Set<String> KINDS = Set.of("exact", "prefix", "wildcard", "empty", "noempty");

    /**
     * @throws IllegalArgumentException if it is of a kind that is not obeyed, such as {@code regex}, which could keep
     *     an event loop busy
     */
    public static TextPattern of(RuleDocument value) {
        // Where there are several, Dubbo takes the first of this order.
        for (String kind : List.of("exact", "prefix", "regex", "wildcard", "empty", "noempty")) {
            if (value != null && value.has(kind)) {
                if (!KINDS.contains(kind)) {
                    throw new IllegalArgumentException("a match by " + kind + " is not supported");
                }
                return new TextPattern(kind, value.text(kind));
            }
        }
        throw new IllegalArgumentException(
                "a match without a value (expected: one of " + String.join(", ", KINDS) + ")");
    }

    /** @param value null if there is none */
    public boolean matches(String value) {
        return switch (kind) {
            case "exact" -> text.equals(value);
            case "prefix" -> value != null && value.startsWith(text);
            case "wildcard" -> value != null && (text.equals("*") || text.equals(value));
            case "empty" -> value == null || value.isEmpty();
            default -> value != null && !value.isEmpty();
        };
    }
}
