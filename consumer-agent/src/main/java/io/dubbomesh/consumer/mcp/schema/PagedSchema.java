package io.dubbomesh.consumer.mcp.schema;

import io.dubbomesh.consumer.mcp.tool.AnswerFilter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes of the schema of a result that of its pages: of an array, an object with some items and how many there are. */
final class PagedSchema {
    private static final String TYPE = "type";
    private static final String ARRAY = "array";
    private static final String ITEMS = "items";
    private static final String ANY_OF = "anyOf";

    private final Map<String, Object> definitions;
    private final Set<String> followed = new LinkedHashSet<>();

    private PagedSchema(Map<String, Object> definitions) {
        this.definitions = definitions;
    }

    static Object of(Object schema, Map<String, Object> definitions) {
        return new PagedSchema(definitions).of(schema);
    }

    private Object of(Object schema) {
        if (!(schema instanceof Map<?, ?> members)) {
            return schema;
        }
        String definition = ToolSchemas.Written.reference(members);
        if (definition != null) {
            // A class that refers to itself on the way is no array.
            return followed.add(definition) ? of(definitions.get(definition)) : schema;
        }
        if (members.get(ANY_OF) instanceof List<?> forms) {
            List<Object> paged = new ArrayList<>();
            forms.forEach(form -> paged.add(of(form)));
            return Map.of(ANY_OF, paged);
        }
        if (ARRAY.equals(members.get(TYPE))) {
            return page(members);
        }
        if (members.get(TYPE) instanceof List<?> types && types.contains(ARRAY)) {
            Map<String, Object> others = new LinkedHashMap<>();
            others.put(TYPE, types.stream().filter(type -> !type.equals(ARRAY)).toList());
            return Map.of(ANY_OF, List.of(page(members), others));
        }
        return schema;
    }

    private static Map<String, Object> page(Map<?, ?> array) {
        Map<String, Object> items = new LinkedHashMap<>();
        items.put(TYPE, ARRAY);
        if (array.containsKey(ITEMS)) {
            items.put(ITEMS, array.get(ITEMS));
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(ITEMS, items);
        properties.put(AnswerFilter.PAGE, number(0));
        properties.put("pages", number(1));
        properties.put("total", number(0));
        Map<String, Object> page = new LinkedHashMap<>();
        page.put(TYPE, "object");
        page.put("properties", properties);
        page.put("required", List.copyOf(properties.keySet()));
        page.put("additionalProperties", false);
        return page;
    }

    private static Map<String, Object> number(int minimum) {
        Map<String, Object> number = new LinkedHashMap<>();
        number.put(TYPE, "integer");
        number.put("minimum", minimum);
        return number;
    }
}
