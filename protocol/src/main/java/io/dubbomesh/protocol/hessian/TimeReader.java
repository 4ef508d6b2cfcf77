package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;

/** Reads values of {@code java.time} in the form that hessian-lite writes them. */
final class TimeReader {
    /** A ZonedDateTime holds a LocalDateTime, and this a LocalTime. */
    private static final int MAX_DEPTH = 2;

    private static final int MAX_ZONE = 256;
    /** The time of an object and its part of the text, in nanoseconds. */
    private static final int NS_PER_OBJECT = 300;

    private final HessianReader reader;

    TimeReader(HessianReader reader) {
        this.reader = reader;
    }

    /**
     * Reads the fields of an object of this class definition.
     *
     * @param json is charged for what is read again
     * @return an object whose {@code toString} is ISO 8601
     */
    Object read(int definition, JsonWriter json) throws MalformedValueException {
        return read(definition, 0, json);
    }

    private Object read(int definition, int depth, JsonWriter json) throws MalformedValueException {
        reader.time.charge(NS_PER_OBJECT);
        TimeHandle handle = reader.classes.timeOf(definition);
        Object[] parts = new Object[handle.fields.length];
        int field = reader.classes.firstFieldOf(definition);
        for (int i = reader.classes.fieldCount(definition); i > 0; i--) {
            int part = partOf(handle, field);
            if (part < 0) {
                reader.skip();
            } else {
                parts[part] = readPart(depth, json);
            }
            field = reader.classes.fieldBehind(field);
        }
        try {
            return value(handle, parts);
        } catch (DateTimeException | ArithmeticException e) {
            throw reader.cursor.malformed("no " + handle + ": " + e.getMessage());
        }
    }

    private int partOf(TimeHandle handle, int field) {
        for (int i = 0; i < handle.fields.length; i++) {
            if (reader.classes.nameEquals(field, handle.fields[i])) {
                return i;
            }
        }
        return -1;
    }

    private Object readPart(int depth, JsonWriter json) throws MalformedValueException {
        switch (reader.peek()) {
            case INT, LONG:
                return reader.readLong();
            case STRING:
                return reader.readString(MAX_ZONE);
            case OBJECT:
                return readNested(depth, json);
            case REFERENCE:
                int target = reader.readReference();
                int resume = reader.position();
                reader.seek(target);
                Object part = readNested(depth, json);
                json.chargeReread(reader.position() - target);
                reader.seek(resume);
                return part;
            default:
                reader.skip();
                return null;
        }
    }

    private Object readNested(int depth, JsonWriter json) throws MalformedValueException {
        int definition = reader.beginObject();
        if (reader.classes.shapeOf(definition) != Shape.TIME || depth == MAX_DEPTH) {
            throw reader.cursor.malformed("part of a date that is of another class");
        }
        return read(definition, depth + 1, json);
    }

    /** Parts are in the order of the handle's fields. */
    private Object value(TimeHandle handle, Object[] parts) throws MalformedValueException {
        return switch (handle) {
            case INSTANT -> Instant.ofEpochSecond(longOf(parts[1]), longOf(parts[0]));
            case DURATION -> Duration.ofSeconds(longOf(parts[1]), longOf(parts[0]));
            case LOCAL_DATE -> LocalDate.of(intOf(parts[2]), intOf(parts[1]), intOf(parts[0]));
            case LOCAL_TIME -> LocalTime.of(intOf(parts[3]), intOf(parts[2]), intOf(parts[1]), intOf(parts[0]));
            case LOCAL_DATE_TIME -> LocalDateTime.of(part(LocalDate.class, parts[1]), part(LocalTime.class, parts[0]));
            case OFFSET_TIME -> OffsetTime.of(part(LocalTime.class, parts[1]), part(ZoneOffset.class, parts[0]));
            case OFFSET_DATE_TIME ->
                OffsetDateTime.of(part(LocalDateTime.class, parts[1]), part(ZoneOffset.class, parts[0]));
            case ZONED_DATE_TIME -> {
                // Kept as text, since the provider may know other zones than this JDK.
                LocalDateTime dateTime = part(LocalDateTime.class, parts[1]);
                String offset = part(ZoneOffset.class, parts[0]).toString();
                String zone = part(String.class, parts[2]);
                yield dateTime + offset + (zone.equals(offset) ? "" : '[' + zone + ']');
            }
            case ZONE_ID -> part(String.class, parts[0]);
            case ZONE_OFFSET -> ZoneOffset.ofTotalSeconds(intOf(parts[0]));
            case PERIOD -> Period.of(intOf(parts[2]), intOf(parts[1]), intOf(parts[0]));
            case YEAR -> Year.of(intOf(parts[0]));
            case YEAR_MONTH -> YearMonth.of(intOf(parts[1]), intOf(parts[0]));
            case MONTH_DAY -> MonthDay.of(intOf(parts[1]), intOf(parts[0]));
        };
    }

    private long longOf(Object part) throws MalformedValueException {
        return part(Long.class, part);
    }

    private int intOf(Object part) throws MalformedValueException {
        return Math.toIntExact(longOf(part));
    }

    private <T> T part(Class<T> type, Object part) throws MalformedValueException {
        if (!type.isInstance(part)) {
            throw reader.cursor.malformed("part of a date that is not a " + type.getSimpleName());
        }
        return type.cast(part);
    }
}
