package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ValueWriter;

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
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * The classes of {@code java.time} as fastjson2 writes them: with a tag of their own, as objects with fields, or as ISO
 * 8601.
 */
final class JsonbTime {
    static final String YEAR = "java.time.Year";
    static final String YEAR_MONTH = "java.time.YearMonth";
    static final String MONTH_DAY = "java.time.MonthDay";

    /** The time of a date or time with its text, and of one in a zone, in nanoseconds. */
    private static final int NS_PER_TIME = 250;

    private static final int NS_PER_ZONED_TIME = 1000;

    private static final String[] FIELDS = {"year", "month", "day"};
    /** The date of a time of day with an offset. */
    private static final LocalDate DAY_0 = LocalDate.EPOCH;

    private JsonbTime() {}

    /**
     * @throws IllegalArgumentException if the year does not fit, or the class is none of {@link ValueWriter#writeTime}
     */
    static void write(JsonbWriter out, Object value) {
        if (value instanceof LocalDate date) {
            out.writeParts(JsonbTag.LOCAL_DATE, parts(date), 0, null);
        } else if (value instanceof LocalTime time) {
            out.writeParts(JsonbTag.LOCAL_TIME, parts(time), time.getNano(), null);
        } else if (value instanceof LocalDateTime both) {
            out.writeParts(JsonbTag.LOCAL_DATE_TIME, parts(both), both.getNano(), null);
        } else if (value instanceof Instant instant) {
            out.writeInstant(instant.getEpochSecond(), instant.getNano());
        } else if (value instanceof OffsetTime time) {
            LocalDateTime both = time.toLocalTime().atDate(DAY_0);
            out.writeParts(
                    JsonbTag.TIMESTAMP_WITH_ZONE,
                    parts(both),
                    both.getNano(),
                    time.getOffset().getId());
        } else if (value instanceof OffsetDateTime both) {
            out.writeParts(
                    JsonbTag.TIMESTAMP_WITH_ZONE,
                    parts(both.toLocalDateTime()),
                    both.getNano(),
                    both.getOffset().getId());
        } else if (value instanceof ZonedDateTime both) {
            out.writeParts(
                    JsonbTag.TIMESTAMP_WITH_ZONE,
                    parts(both.toLocalDateTime()),
                    both.getNano(),
                    both.getZone().getId());
        } else if (value instanceof Year year) {
            out.beginMap(YEAR);
            writeField(out, "year", year.getValue());
            out.endMap();
        } else if (value instanceof YearMonth month) {
            out.beginMap(YEAR_MONTH);
            writeField(out, "year", month.getYear());
            writeField(out, "month", month.getMonthValue());
            out.endMap();
        } else if (value instanceof MonthDay day) {
            out.beginMap(MONTH_DAY);
            writeField(out, "month", day.getMonthValue());
            writeField(out, "day", day.getDayOfMonth());
            out.endMap();
        } else if (value instanceof Duration || value instanceof Period || value instanceof ZoneId) {
            out.writeString(value.toString());
        } else {
            throw new IllegalArgumentException(value.getClass() + " cannot be sent by the serialization fastjson2");
        }
    }

    /** Reads a {@link JsonbType#TIME} as ISO 8601. */
    static String read(JsonbReader in) throws MalformedValueException {
        try {
            int tag = in.cursor.byteAt(in.cursor.take(1));
            in.time.charge(tag == JsonbTag.TIMESTAMP_WITH_ZONE ? NS_PER_ZONED_TIME : NS_PER_TIME);
            return switch (tag) {
                case JsonbTag.LOCAL_DATE -> readDate(in).toString();
                case JsonbTag.LOCAL_TIME -> readTime(in).toString();
                case JsonbTag.LOCAL_DATE_TIME ->
                    readDate(in).atTime(readTime(in)).toString();
                case JsonbTag.TIMESTAMP_WITH_ZONE -> {
                    LocalDateTime both = readDate(in).atTime(readTime(in));
                    yield both.atZone(ZoneId.of(in.readString())).toString();
                }
                case JsonbTag.TIMESTAMP_MILLIS ->
                    Instant.ofEpochMilli(in.cursor.in.getLong(in.cursor.take(Long.BYTES)))
                            .toString();
                case JsonbTag.TIMESTAMP ->
                    Instant.ofEpochSecond(in.cursor.readWhole(), in.readInt()).toString();
                default -> {
                    long units = in.cursor.in.getInt(in.cursor.take(Integer.BYTES));
                    yield Instant.ofEpochSecond(tag == JsonbTag.TIMESTAMP_SECONDS ? units : units * 60)
                            .toString();
                }
            };
        } catch (DateTimeException | ArithmeticException e) {
            throw in.cursor.malformed("a malformed date or time");
        }
    }

    /**
     * Reads the fields of a Year, YearMonth or MonthDay as ISO 8601; returns null, with nothing read, if the class is
     * another.
     */
    static String readFields(JsonbReader in, String className) throws MalformedValueException {
        boolean year = className.equals(YEAR);
        boolean yearMonth = className.equals(YEAR_MONTH);
        if (!year && !yearMonth && !className.equals(MONTH_DAY)) {
            return null;
        }
        in.time.charge(NS_PER_TIME);
        int[] values = new int[FIELDS.length];
        in.beginMap();
        while (!in.readEnd()) {
            int name = in.readFieldName();
            int field = FIELDS.length;
            while (--field >= 0 && !in.isString(name, FIELDS[field])) {}
            if (field < 0) {
                in.skip();
            } else {
                values[field] = in.readInt();
            }
        }
        try {
            // A field that is 0 is left out.
            if (year) {
                return Year.of(values[0]).toString();
            }
            return yearMonth
                    ? YearMonth.of(values[0], values[1]).toString()
                    : MonthDay.of(values[1], values[2]).toString();
        } catch (DateTimeException e) {
            throw in.cursor.malformed("a malformed date");
        }
    }

    private static LocalDate readDate(JsonbReader in) throws MalformedValueException {
        int begin = in.cursor.take(4);
        return LocalDate.of(
                in.cursor.in.getShort(begin), in.cursor.in.getByte(begin + 2), in.cursor.in.getByte(begin + 3));
    }

    private static LocalTime readTime(JsonbReader in) throws MalformedValueException {
        int begin = in.cursor.take(3);
        return LocalTime.of(
                in.cursor.in.getByte(begin),
                in.cursor.in.getByte(begin + 1),
                in.cursor.in.getByte(begin + 2),
                in.readInt());
    }

    private static void writeField(JsonbWriter out, String name, int value) {
        out.writeKey(name);
        out.writeInt(value);
    }

    private static int[] parts(LocalDate date) {
        int year = checked(date.getYear());
        return new int[] {year >> 8, year, date.getMonthValue(), date.getDayOfMonth()};
    }

    private static int[] parts(LocalTime time) {
        return new int[] {time.getHour(), time.getMinute(), time.getSecond()};
    }

    private static int[] parts(LocalDateTime both) {
        int year = checked(both.getYear());
        return new int[] {
            year >> 8,
            year,
            both.getMonthValue(),
            both.getDayOfMonth(),
            both.getHour(),
            both.getMinute(),
            both.getSecond()
        };
    }

    private static int checked(int year) {
        if (year != (short) year) {
            throw new IllegalArgumentException("year " + year + " cannot be sent by the serialization fastjson2");
        }
        return year;
    }
}
