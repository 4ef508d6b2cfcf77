package io.dubbomesh.protocol.type;

import java.util.HashMap;
import java.util.Map;

/**
 * The names, other than its own, by which a field of a class is known to those who ask its getter and not the field:
 * Dubbo's generic calls, fastjson, and Java's {@code Introspector}. Each makes a name of {@code getURL} in its own way,
 * and the getter of a {@code boolean isDeleted} is {@code isDeleted()}.
 */
final class FieldSpellings {
    private FieldSpellings() {}

    /**
     * Returns the names of fields by their other spellings. A spelling that is itself a field's name, or could be that
     * of two fields, is none.
     *
     * @param properties what is known of getters and setters
     */
    static Map<String, String> of(Map<String, JavaType> fields, Map<String, String> properties) {
        Map<String, String> spellings = new HashMap<>();
        for (Map.Entry<String, JavaType> field : fields.entrySet()) {
            String name = field.getKey();
            if (!name.isEmpty()) {
                add(spellings, name, name);
            }
            boolean isFlag = field.getValue().kind() == JavaType.Kind.BOOLEAN
                    && name.length() > 2
                    && name.startsWith("is")
                    && Character.isUpperCase(name.charAt(2));
            if (isFlag) {
                add(spellings, name.substring(2), name);
            }
        }
        properties.forEach((property, name) -> {
            if (fields.containsKey(name)) {
                add(spellings, property, name);
            }
        });
        spellings.values().removeIf(String::isEmpty);
        spellings.keySet().removeAll(fields.keySet());
        return Map.copyOf(spellings);
    }

    private static void add(Map<String, String> spellings, String property, String field) {
        put(spellings, property, field);
        put(spellings, Character.toLowerCase(property.charAt(0)) + property.substring(1), field);
        if (property.length() > 1 && Character.isUpperCase(property.charAt(1))) {
            put(spellings, Character.toUpperCase(property.charAt(0)) + property.substring(1), field);
        }
    }

    private static void put(Map<String, String> spellings, String spelling, String field) {
        spellings.merge(spelling, field, (first, second) -> first.equals(second) ? first : "");
    }
}
