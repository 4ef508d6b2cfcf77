package io.dubbomesh.consumer.mcp.schema;

import io.dubbomesh.consumer.mcp.tool.AnswerFilter;
import io.dubbomesh.consumer.mcp.tool.AnswerRules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes of the schema of a result that of the same result with masked values: what {@link AnswerFilter} does to a
 * value, this does to its schema. A class that is reached by two ways, of which one is masked, gets two definitions.
 */
final class MaskedSchema {
    private static final String PROPERTIES = "properties";
    private static final String ADDITIONAL = "additionalProperties";
    private static final Set<String> OF_SCHEMAS = Set.of("anyOf", "oneOf", "allOf", "prefixItems");
    private static final String ITEMS = "items";
    private static final Map<String, Object> MASKED = Map.of("const", AnswerFilter.MASK);

    private final Map<String, Object> definitions;
    /** The names of the definitions that were made, by what they were made of and what is masked in them. */
    private final Map<Copied, String> names = new LinkedHashMap<>();

    private record Copied(String definition, List<List<String>> masked) {}

    private MaskedSchema(Map<String, Object> definitions) {
        this.definitions = definitions;
    }

    /**
     * Returns the schema of what is left of a result.
     *
     * @param definitions that the schema refers to; those that it needs besides are added
     * @param masked      the ways to members that are masked, each from here on
     */
    static Object of(Object schema, Map<String, Object> definitions, List<List<String>> masked) {
        return new MaskedSchema(definitions).of(schema, masked);
    }

    private Object of(Object schema, List<List<String>> masked) {
        if (masked.isEmpty() || !(schema instanceof Map<?, ?> members)) {
            return schema;
        }
        String definition = ToolSchemas.Written.reference(members);
        if (definition != null) {
            return ToolSchemas.Written.referTo(copied(definition, masked));
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        members.forEach((keyword, value) -> copy.put(keyword.toString(), of(keyword.toString(), value, masked)));
        if (members.get(ADDITIONAL) instanceof Map<?, ?> others) {
            // Other members have any name: one that is masked by its own name is a property of its own.
            copy.put(PROPERTIES, named(copy.get(PROPERTIES), others, masked));
            copy.put(ADDITIONAL, member(AnswerRules.ANY, others, masked));
        }
        return copy;
    }

    private Object of(String keyword, Object value, List<List<String>> masked) {
        if (OF_SCHEMAS.contains(keyword) && value instanceof List<?> schemas) {
            List<Object> copy = new ArrayList<>();
            schemas.forEach(schema -> copy.add(of(schema, masked)));
            return copy;
        }
        if (keyword.equals(ITEMS)) {
            return of(value, masked);
        }
        if (keyword.equals(PROPERTIES) && value instanceof Map<?, ?> properties) {
            Map<String, Object> copy = new LinkedHashMap<>();
            properties.forEach((name, schema) -> copy.put(name.toString(), member(name.toString(), schema, masked)));
            return copy;
        }
        return value;
    }

    private Map<String, Object> named(Object properties, Map<?, ?> others, List<List<String>> masked) {
        Map<String, Object> named = new LinkedHashMap<>();
        if (properties instanceof Map<?, ?> known) {
            known.forEach((name, schema) -> named.put(name.toString(), schema));
        }
        for (List<String> way : masked) {
            if (!way.get(0).equals(AnswerRules.ANY)) {
                named.putIfAbsent(way.get(0), member(way.get(0), others, masked));
            }
        }
        return named;
    }

    /** Returns the schema of a member of this name. */
    private Object member(String name, Object schema, List<List<String>> masked) {
        List<List<String>> behind = new ArrayList<>();
        for (List<String> way : masked) {
            if (way.get(0).equals(name) || way.get(0).equals(AnswerRules.ANY)) {
                if (way.size() == 1) {
                    return MASKED;
                }
                behind.add(way.subList(1, way.size()));
            }
        }
        return of(schema, behind);
    }

    private String copied(String definition, List<List<String>> masked) {
        Copied copied = new Copied(definition, masked);
        String known = names.get(copied);
        if (known != null) {
            return known;
        }
        String name = definition + "-Masked";
        for (int i = 2; definitions.containsKey(name); i++) {
            name = definition + "-Masked-" + i;
        }
        names.put(copied, name);
        // Before its content, which may refer to it.
        definitions.put(name, true);
        Object copy = of(definitions.get(definition), masked);
        if (copy.equals(definitions.get(definition))) {
            // Nothing in it is masked.
            definitions.remove(name);
            names.put(copied, definition);
            return definition;
        }
        definitions.put(name, copy);
        return name;
    }
}
