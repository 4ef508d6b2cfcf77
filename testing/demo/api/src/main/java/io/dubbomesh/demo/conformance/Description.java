package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The class and the content of a value, independent of the implementation of a collection: {@code [Long 1, {String
 * a=Item(...)}]}.
 */
public final class Description {
    private static final String OURS = "io.dubbomesh.demo.";

    private Description() {}

    public static String of(Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof Map<?, ?> map) {
            return ofMap(map);
        } else if (value instanceof Collection<?> collection) {
            return ofCollection(collection);
        } else if (value.getClass().isArray()) {
            return ofArray(value);
        } else if (value instanceof Enum<?> constant) {
            return constant.getDeclaringClass().getSimpleName() + " " + constant.name();
        } else if (value instanceof Character letter) {
            return "Character U+%04X".formatted((int) letter);
        } else if (value.getClass().getName().startsWith(OURS) && value instanceof Serializable) {
            return ofFields(value);
        }
        return value.getClass().getSimpleName() + " " + value;
    }

    private static String ofMap(Map<?, ?> map) {
        List<String> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(of(key) + "=" + of(value)));
        Collections.sort(entries);
        return "{" + String.join(", ", entries) + "}";
    }

    private static String ofCollection(Collection<?> collection) {
        List<String> elements = new ArrayList<>();
        collection.forEach(element -> elements.add(of(element)));
        if (collection instanceof Set) {
            Collections.sort(elements);
            return "set[" + String.join(", ", elements) + "]";
        }
        return "[" + String.join(", ", elements) + "]";
    }

    private static String ofArray(Object array) {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            elements.add(of(Array.get(array, i)));
        }
        return array.getClass().getComponentType().getSimpleName() + "[" + String.join(", ", elements) + "]";
    }

    private static String ofFields(Object value) {
        List<String> fields = new ArrayList<>();
        for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    fields.add(field.getName() + "=" + of(valueOf(field, value)));
                }
            }
        }
        return value.getClass().getSimpleName() + "(" + String.join(", ", fields) + ")";
    }

    private static Object valueOf(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
