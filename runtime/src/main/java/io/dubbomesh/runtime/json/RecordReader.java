package io.dubbomesh.runtime.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes records of JSON objects, by the names and types of their components: see {@link Json#toRecord}. */
final class RecordReader {
    private RecordReader() {}

    static <T extends Record> T read(Map<?, ?> object, Class<T> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            types[i] = components[i].getType();
            values[i] = value(name, object.get(name), components[i].getGenericType());
        }
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(types);
            // The record's package may keep it for itself.
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.toString(), e);
        }
    }

    private static Object value(String name, Object json, Type type) {
        return type instanceof ParameterizedType generic
                ? container(name, json, (Class<?>) generic.getRawType(), generic.getActualTypeArguments())
                : single(name, json, (Class<?>) type);
    }

    private static Object container(String name, Object json, Class<?> type, Type[] arguments) {
        if (type == Optional.class) {
            return json == null ? Optional.empty() : Optional.of(value(name, json, arguments[0]));
        }
        if (type == List.class) {
            List<Object> list = new ArrayList<>();
            for (Object item : json == null ? List.of() : expect(name, json, List.class)) {
                list.add(item == null ? null : value(name, item, arguments[0]));
            }
            return list;
        }
        if (type == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : members(name, json).entrySet()) {
                map.put(entry.getKey(), value(name, entry.getValue(), arguments[1]));
            }
            return map;
        }
        throw new IllegalStateException(name + " is a " + type);
    }

    private static Object single(String name, Object json, Class<?> type) {
        if (type == Object.class) {
            return json;
        }
        if (type == String.class) {
            return json == null ? "" : expect(name, json, String.class);
        }
        if (type == boolean.class || type == Boolean.class) {
            return json == null ? Boolean.FALSE : expect(name, json, Boolean.class);
        }
        if (type == long.class || type == Long.class) {
            return json == null ? 0L : expect(name, json, Number.class).longValue();
        }
        if (type == double.class || type == Double.class) {
            return json == null ? 0.0 : expect(name, json, Number.class).doubleValue();
        }
        if (type.isRecord()) {
            return read(members(name, json), type.asSubclass(Record.class));
        }
        throw new IllegalStateException(name + " is a " + type);
    }

    private static Map<?, ?> members(String name, Object json) {
        return json == null ? Map.of() : expect(name, json, Map.class);
    }

    private static <T> T expect(String name, Object json, Class<T> type) {
        if (type.isInstance(json)) {
            return type.cast(json);
        }
        String expected =
                type == Map.class ? "an object" : type == List.class ? "an array" : "a " + type.getSimpleName();
        throw new IllegalArgumentException(name + ": " + Json.write(json) + " (expected: " + expected + ')');
    }
}
