package io.dubbomesh.protocol.hessian;

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

/**
 * The classes that hessian-lite writes in place of those of {@code java.time}, with their fields in its order. They are
 * the same from Dubbo 2.6.1, which has its own copy, to hessian-lite 4.0.4.
 */
enum TimeHandle {
    INSTANT("InstantHandle", "nanos", "seconds"),
    DURATION("DurationHandle", "nanos", "seconds"),
    LOCAL_DATE("LocalDateHandle", "day", "month", "year"),
    LOCAL_TIME("LocalTimeHandle", "nano", "second", "minute", "hour"),
    LOCAL_DATE_TIME("LocalDateTimeHandle", "time", "date"),
    OFFSET_TIME("OffsetTimeHandle", "zoneOffset", "localTime"),
    OFFSET_DATE_TIME("OffsetDateTimeHandle", "offset", "dateTime"),
    ZONED_DATE_TIME("ZonedDateTimeHandle", "offset", "dateTime", "zoneId"),
    ZONE_ID("ZoneIdHandle", "zoneId"),
    ZONE_OFFSET("ZoneOffsetHandle", "seconds"),
    PERIOD("PeriodHandle", "days", "months", "years"),
    YEAR("YearHandle", "year"),
    YEAR_MONTH("YearMonthHandle", "month", "year"),
    MONTH_DAY("MonthDayHandle", "day", "month");

    private static final String PACKAGE = "com.alibaba.com.caucho.hessian.io.java8.";
    private static final TimeHandle[] ALL = values();

    final String className;
    final String[] fields;

    TimeHandle(String name, String... fields) {
        className = PACKAGE + name;
        this.fields = fields;
    }

    static TimeHandle of(int number) {
        return ALL[number];
    }

    /** The one of this class, or null. */
    static TimeHandle of(ClassTable classes, int name) {
        if (classes.nameStartsWith(name, PACKAGE)) {
            for (TimeHandle handle : ALL) {
                if (classes.nameEquals(name, handle.className)) {
                    return handle;
                }
            }
        }
        return null;
    }

    /** @throws IllegalArgumentException if it is no value of {@code java.time} that has a handle */
    static void write(HessianWriter out, Object value) {
        if (value instanceof LocalDateTime dateTime) {
            LOCAL_DATE_TIME.begin(out);
            write(out, dateTime.toLocalTime());
            write(out, dateTime.toLocalDate());
        } else if (value instanceof LocalDate date) {
            LOCAL_DATE.begin(out);
            out.writeInt(date.getDayOfMonth());
            out.writeInt(date.getMonthValue());
            out.writeInt(date.getYear());
        } else if (value instanceof LocalTime time) {
            LOCAL_TIME.begin(out);
            out.writeInt(time.getNano());
            out.writeInt(time.getSecond());
            out.writeInt(time.getMinute());
            out.writeInt(time.getHour());
        } else if (value instanceof Instant instant) {
            INSTANT.begin(out);
            out.writeInt(instant.getNano());
            out.writeLong(instant.getEpochSecond());
        } else if (value instanceof Duration duration) {
            DURATION.begin(out);
            out.writeInt(duration.getNano());
            out.writeLong(duration.getSeconds());
        } else if (value instanceof OffsetTime time) {
            OFFSET_TIME.begin(out);
            write(out, time.getOffset());
            write(out, time.toLocalTime());
        } else if (value instanceof OffsetDateTime dateTime) {
            OFFSET_DATE_TIME.begin(out);
            write(out, dateTime.getOffset());
            write(out, dateTime.toLocalDateTime());
        } else if (value instanceof ZonedDateTime dateTime) {
            ZONED_DATE_TIME.begin(out);
            write(out, dateTime.getOffset());
            write(out, dateTime.toLocalDateTime());
            out.writeString(dateTime.getZone().getId());
        } else if (value instanceof ZoneOffset offset) {
            ZONE_OFFSET.begin(out);
            out.writeInt(offset.getTotalSeconds());
        } else if (value instanceof ZoneId zone) {
            ZONE_ID.begin(out);
            out.writeString(zone.getId());
        } else {
            writePartial(out, value);
        }
    }

    private static void writePartial(HessianWriter out, Object value) {
        if (value instanceof Period period) {
            PERIOD.begin(out);
            out.writeInt(period.getDays());
            out.writeInt(period.getMonths());
            out.writeInt(period.getYears());
        } else if (value instanceof Year year) {
            YEAR.begin(out);
            out.writeInt(year.getValue());
        } else if (value instanceof YearMonth month) {
            YEAR_MONTH.begin(out);
            out.writeInt(month.getMonthValue());
            out.writeInt(month.getYear());
        } else if (value instanceof MonthDay day) {
            MONTH_DAY.begin(out);
            out.writeInt(day.getDayOfMonth());
            out.writeInt(day.getMonthValue());
        } else {
            throw new IllegalArgumentException(value.getClass().getName() + " (expected: a class of java.time)");
        }
    }

    private void begin(HessianWriter out) {
        out.beginObject(className, fields);
    }
}
