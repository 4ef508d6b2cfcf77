package io.dubbomesh.protocol.dubbo.exception;

import io.dubbomesh.protocol.value.CostlyValueException;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ObjectReader;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The fields that an exception's own classes declare, as a JSON object. What does not fit its bounds, or cannot be
 * written, is left out. Of one exception at a time; reused, and owned by one event loop.
 */
public final class ExceptionProperties {
    /** Bytes for all fields of one exception. */
    public static final int MAX_LENGTH = 8 * 1024;

    /** Fields that are looked at: a value that is then left out has cost as much. */
    private static final int MAX_COUNT = 64;

    /** The time of writing the text of a field, kept or not, for each byte, if it is one of short numbers. */
    private static final int NS_PER_BYTE = 12;

    private static final String STACK = "\"stackTrace\":";

    /** The names that serializations have for what every {@link Throwable} has. */
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
    public interface Value {
        void write(ByteBuf out) throws MalformedValueException;
    }

    private final ByteBuf value = Unpooled.buffer(256, 4 * MAX_LENGTH);
    /** The fields as JSON, by name. */
    private final Map<String, String> fields = new LinkedHashMap<>();

    private final ReadingTime time;
    private int count;
    private int length;

    public ExceptionProperties(ReadingTime time) {
        this.time = time;
    }

    /** Returns whether a field is none of those that every exception has, and not the object around an inner class. */
    public static boolean isProperty(String field) {
        return !OF_THROWABLE.contains(field) && !field.startsWith(ObjectReader.OUTER_OBJECT);
    }

    public void begin() {
        fields.clear();
        count = 0;
        length = 0;
    }

    /**
     * Adds a field, unless it is too long. It replaces one of the same name: a superclass's field comes before the one
     * that hides it.
     */
    public void add(String name, Value field) throws CostlyValueException {
        if (count == MAX_COUNT) {
            return;
        }
        count++;
        value.clear();
        boolean isWritten = write(name, field);
        time.charge((long) value.readableBytes() * NS_PER_BYTE);
        if (!isWritten) {
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

    /** A value that cannot be written is of no use to a client, and the rest of the exception is. */
    private boolean write(String name, Value field) throws CostlyValueException {
        try {
            JsonText.writeString(value, name);
            value.writeByte(':');
            field.write(value);
            return true;
        } catch (CostlyValueException e) {
            throw e;
        } catch (MalformedValueException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    /** Returns the object; null if there is no field. */
    public String end() {
        return fields.isEmpty() ? null : '{' + String.join(",", fields.values()) + '}';
    }
}
