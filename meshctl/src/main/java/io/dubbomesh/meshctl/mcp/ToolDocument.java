package io.dubbomesh.meshctl.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A tool as an agent lists it to a client of the Model Context Protocol. */
record ToolDocument(String name, String title, InputSchema inputSchema, Annotations annotations) {
    private static final String STRING = "string";

    /** The arguments that the tool takes, by name. */
    record InputSchema(Map<String, ArgumentSchema> properties) {}

    /**
     * An argument.
     *
     * @param type one type of JSON, several, or null
     */
    record ArgumentSchema(Object type) {
        /** Returns whether each of its values but null is a text. */
        boolean isText() {
            return STRING.equals(type)
                    || type instanceof List<?> types
                            && types.contains(STRING)
                            && List.of(STRING, "null").containsAll(types);
        }
    }

    /** The hints about what a call does; empty where the agent has none. */
    record Annotations(
            Optional<Boolean> readOnlyHint, Optional<Boolean> idempotentHint, Optional<Boolean> destructiveHint) {
        @Override
        public String toString() {
            List<String> words = new ArrayList<>();
            add(words, readOnlyHint, "read-only");
            add(words, idempotentHint, "idempotent");
            add(words, destructiveHint, "destructive");
            return String.join(", ", words);
        }

        private static void add(List<String> words, Optional<Boolean> hint, String word) {
            hint.ifPresent(is -> words.add(is ? word : "not " + word));
        }
    }
}
