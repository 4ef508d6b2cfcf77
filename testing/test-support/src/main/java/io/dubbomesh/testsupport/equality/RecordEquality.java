package io.dubbomesh.testsupport.equality;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the {@code equals} and {@code hashCode} of a record that has its own instead of the compiler's. */
public final class RecordEquality {
    private RecordEquality() {}

    /**
     * Checks that a copy is equal and has the same hash, and that a copy with another value of any one component has
     * neither.
     *
     * @param record with components that are ints, texts, lists, maps and enums
     */
    public static void check(Record record) throws ReflectiveOperationException {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        Constructor<?> constructor = record.getClass().getDeclaredConstructor(types);
        Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = copy(components[i].getAccessor().invoke(record));
        }
        Object copy = constructor.newInstance(values);
        assertThat(copy).isEqualTo(record).hasSameHashCodeAs(record);
        assertThat(record.equals(null)).isFalse();
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            values[i] = other(value);
            assertThat(constructor.newInstance(values))
                    .as(components[i].getName())
                    .isNotEqualTo(record)
                    .doesNotHaveSameHashCodeAs(record);
            values[i] = value;
        }
    }

    /** Returns an equal value, of a text another object. */
    private static Object copy(Object value) {
        return value instanceof String text ? new String(text.toCharArray()) : value;
    }

    private static Object other(Object value) {
        if (value instanceof Integer number) {
            return number + 1;
        }
        if (value instanceof String text) {
            return text + "1";
        }
        if (value instanceof List<?>) {
            return List.of("another");
        }
        if (value instanceof Map<?, ?>) {
            return Map.of("another", "value");
        }
        Object[] constants = value.getClass().getEnumConstants();
        return constants[(((Enum<?>) value).ordinal() + 1) % constants.length];
    }
}
