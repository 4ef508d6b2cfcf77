package io.dubbomesh.consumer.mcp.tool;

import java.util.List;

/**
 * The part of a method's result that callers of the tool get. Immutable.
 *
 * @param maxBytes of the result as JSON; a larger one is refused
 * @param pageSize the elements of a result that is an array which a call gets at once; 0 for all
 * @param masked   the members whose values are hidden, each as the names on the way to it
 */
public record AnswerRules(int maxBytes, int pageSize, List<List<String>> masked) {
    /** Stands for any member, in a path. */
    public static final String ANY = "*";

    /** Returns whether callers may get something else than the whole result. */
    public boolean changes() {
        return isPaged() || !masked.isEmpty();
    }

    public boolean isPaged() {
        return pageSize > 0;
    }
}
