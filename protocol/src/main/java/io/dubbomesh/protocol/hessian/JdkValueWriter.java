package io.dubbomesh.protocol.hessian;

import java.math.BigInteger;
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
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;

/** Writes values of the JDK as hessian-lite does: as the objects that it reads in their place. */
final class JdkValueWriter {
    private static final String BIG_INTEGER = "java.math.BigInteger";
    private static final String[] BIG_INTEGER_FIELDS = {"signum", "mag"};

    /** The one field that hessian-lite reads of a class. */
    private static final Map<String, String> TEXT_FIELDS =
            Map.of("java.net.URI", "string", "java.util.Currency", "currencyCode");

    private JdkValueWriter() {}

    static void writeBigInteger(HessianWriter out, BigInteger value) {
        out.beginObject(BIG_INTEGER, BIG_INTEGER_FIELDS);
        out.writeInt(value.signum());
        byte[] magnitude = value.abs().toByteArray();
        int words = value.signum() == 0 ? 0 : (value.abs().bitLength() + 31) / 32;
        out.beginList(words);
        for (int word = words - 1; word >= 0; word--) {
            int bits = 0;
            for (int i = 3; i >= 0; i--) {
                int at = magnitude.length - 1 - (word * 4 + i);
                bits = bits << 8 | (at < 0 ? 0 : magnitude[at] & 0xff);
            }
            out.writeInt(bits);
        }
    }

    /** @throws IllegalArgumentException if it is none of UUID, Locale, URI and Currency */
    static void writeText(HessianWriter out, String className, String text) {
        if (className.equals("java.util.Locale")) {
            // From 2.6.12 on the first field counts, in 2.6.1 the others.
            String[] parts = text.split("_", 3);
            out.beginObject(Shape.LOCALE, "value", "variant", "country", "language");
            out.writeString(text);
            out.writeString(parts.length > 2 ? parts[2] : "");
            out.writeString(parts.length > 1 ? parts[1] : "");
            out.writeString(parts[0]);
            return;
        }
        // From 2.6.12 on the one field is the text, by any name; before, a number that has this name, so that a text is
        // refused. By its own name, "value", it would be dropped there, and the UUID all zeros.
        String field = className.equals(Shape.UUID_CLASS) ? "mostSigBits" : TEXT_FIELDS.get(className);
        if (field == null) {
            throw new IllegalArgumentException(className + " (expected: a class that one text stands for)");
        }
        out.beginObject(className, field);
        out.writeString(text);
    }

    /** @throws IllegalArgumentException if it is no value of {@code java.time} that has a handle */
    static void writeTime(HessianWriter out, Object value) {
        if (value instanceof LocalDateTime dateTime) {
            begin(out, TimeHandle.LOCAL_DATE_TIME);
            writeTime(out, dateTime.toLocalTime());
            writeTime(out, dateTime.toLocalDate());
        } else if (value instanceof LocalDate date) {
            begin(out, TimeHandle.LOCAL_DATE);
            out.writeInt(date.getDayOfMonth());
            out.writeInt(date.getMonthValue());
            out.writeInt(date.getYear());
        } else if (value instanceof LocalTime time) {
            begin(out, TimeHandle.LOCAL_TIME);
            out.writeInt(time.getNano());
            out.writeInt(time.getSecond());
            out.writeInt(time.getMinute());
            out.writeInt(time.getHour());
        } else if (value instanceof Instant instant) {
            begin(out, TimeHandle.INSTANT);
            out.writeInt(instant.getNano());
            out.writeLong(instant.getEpochSecond());
        } else if (value instanceof Duration duration) {
            begin(out, TimeHandle.DURATION);
            out.writeInt(duration.getNano());
            out.writeLong(duration.getSeconds());
        } else if (value instanceof OffsetTime time) {
            begin(out, TimeHandle.OFFSET_TIME);
            writeTime(out, time.getOffset());
            writeTime(out, time.toLocalTime());
        } else if (value instanceof OffsetDateTime dateTime) {
            begin(out, TimeHandle.OFFSET_DATE_TIME);
            writeTime(out, dateTime.getOffset());
            writeTime(out, dateTime.toLocalDateTime());
        } else if (value instanceof ZonedDateTime dateTime) {
            begin(out, TimeHandle.ZONED_DATE_TIME);
            writeTime(out, dateTime.getOffset());
            writeTime(out, dateTime.toLocalDateTime());
            out.writeString(dateTime.getZone().getId());
        } else if (value instanceof ZoneOffset offset) {
            begin(out, TimeHandle.ZONE_OFFSET);
            out.writeInt(offset.getTotalSeconds());
        } else if (value instanceof ZoneId zone) {
            begin(out, TimeHandle.ZONE_ID);
            out.writeString(zone.getId());
        } else {
            writePartialTime(out, value);
        }
    }

    private static void writePartialTime(HessianWriter out, Object value) {
        if (value instanceof Period period) {
            begin(out, TimeHandle.PERIOD);
            out.writeInt(period.getDays());
            out.writeInt(period.getMonths());
            out.writeInt(period.getYears());
        } else if (value instanceof Year year) {
            begin(out, TimeHandle.YEAR);
            out.writeInt(year.getValue());
        } else if (value instanceof YearMonth month) {
            begin(out, TimeHandle.YEAR_MONTH);
            out.writeInt(month.getMonthValue());
            out.writeInt(month.getYear());
        } else if (value instanceof MonthDay day) {
            begin(out, TimeHandle.MONTH_DAY);
            out.writeInt(day.getDayOfMonth());
            out.writeInt(day.getMonthValue());
        } else {
            throw new IllegalArgumentException(value.getClass().getName() + " (expected: a class of java.time)");
        }
    }

    private static void begin(HessianWriter out, TimeHandle handle) {
        out.beginObject(handle.className, handle.fields);
    }
}
