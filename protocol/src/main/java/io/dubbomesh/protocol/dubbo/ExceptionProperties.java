package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The fields that an exception's own classes declare, as a JSON object. What does not fit its bounds, or cannot be written, is left out. Of one
 * exception at a time; reused, and owned by one event loop.
 */
final class ExceptionProperties {
    /** Bytes for all fields of one exception. */
    static final int MAX_LENGTH = 8 * 1024;

    /** Fields that are looked at: a value that is then left out has cost as much. */
    private static final int MAX_COUNT = 64;

    private static final String STACK = "\"stackTrace\":";

    /** As serializations name what every {@link Throwable} has. */
    private static final Set<String> OF_THROWABLE = Set.of(
            "detailMessage",
            "message",
            "localizedMessage",
            "cause",
            "stackTrace",
            "suppressedExceptions",
            "suppressed");

    /** Appends the value of a field as JSON. */
    @FunctionalInterface
    interface Value {
        void write(ByteBuf out) throws MalformedValueException;
    }

    private final ByteBuf value = Unpooled.buffer(256, 4 * MAX_LENGTH);
    /** As JSON, by name. */
    private final Map<String, String> fields = new LinkedHashMap<>();

    private int count;
    private int length;

    /** Whether a field is none of those that every exception has. */
    static boolean isProperty(String field) {
        return !OF_THROWABLE.contains(field);
    }

    void begin() {
        fields.clear();
        count = 0;
        length = 0;
    }

    /** Adds a field, unless it is too long. It replaces one of the same name: a superclass's field comes before the one that hides it. */
    void add(String name, Value field) {
        if (count == MAX_COUNT) {
            return;
        }
        count++;
        value.clear();
        try {
            JsonText.writeString(value, name);
            value.writeByte(':');
            field.write(value);
        } catch (MalformedValueException | IndexOutOfBoundsException e) {
            // It is of no use to a client, and the rest of the exception is.
            return;
        }
        String member = value.toString(UTF_8);
        // Another exception: clients do not get its stack.
        boolean hasStack = member.contains(STACK);
        if (!hasStack && length + value.readableBytes() < MAX_LENGTH) {
            length += value.readableBytes() + 1;
            fields.put(name, member);
        }
    }

    /** The object; null if there is no field. */
    String end() {
        return fields.isEmpty() ? null : '{' + String.join(",", fields.values()) + '}';
    }
}
