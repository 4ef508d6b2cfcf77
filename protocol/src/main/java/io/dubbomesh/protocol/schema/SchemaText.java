package io.dubbomesh.protocol.schema;

import java.util.List;
import java.util.stream.Collectors;

/** Texts within schemas. */
final class SchemaText {
    private static final String SPECIAL = "\\^$.|?*+()[]{}/-";

    private SchemaText() {}

    /** Returns the regular expression of these texts and no other. */
    static String anyOf(List<String> texts) {
        return texts.stream().map(SchemaText::escaped).collect(Collectors.joining("|", "^(", ")$"));
    }

    /** Returns the member of a schema by which a text has this pattern. */
    static String pattern(String pattern) {
        StringBuilder json = new StringBuilder("\"pattern\":\"");
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    private static String escaped(String text) {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (SPECIAL.indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.append(c);
        }
        return pattern.toString();
    }
}
