package io.dubbomesh.protocol.type;

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
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.function.Function;

/** The types of {@code java.time} that Dubbo's Hessian supports, read from the result of their {@code toString}. */
final class JavaTime {
    private static final Map<String, Function<String, Object>> PARSERS = Map.ofEntries(
            Map.entry("java.time.Duration", Duration::parse),
            Map.entry("java.time.Instant", JavaTime::instant),
            Map.entry("java.time.LocalDate", LocalDate::parse),
            Map.entry("java.time.LocalDateTime", LocalDateTime::parse),
            Map.entry("java.time.LocalTime", LocalTime::parse),
            Map.entry("java.time.MonthDay", MonthDay::parse),
            Map.entry("java.time.OffsetDateTime", OffsetDateTime::parse),
            Map.entry("java.time.OffsetTime", OffsetTime::parse),
            Map.entry("java.time.Period", Period::parse),
            Map.entry("java.time.Year", Year::parse),
            Map.entry("java.time.YearMonth", YearMonth::parse),
            Map.entry("java.time.ZoneId", ZoneId::of),
            Map.entry("java.time.ZoneOffset", ZoneOffset::of),
            Map.entry("java.time.ZonedDateTime", ZonedDateTime::parse));

    private JavaTime() {}

    static boolean isKnown(String className) {
        return PARSERS.containsKey(className);
    }

    /** The value, or null if the text is not a value of this class. */
    static Object parse(String className, String text) {
        try {
            return PARSERS.get(className).apply(text);
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /** With any offset. */
    static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }
}
