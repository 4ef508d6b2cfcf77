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
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Dates and times as text: those of {@code java.time} that Dubbo's Hessian supports, and the moments of a
 * {@link java.util.Date}.
 */
final class TimeText {
    private static final Map<String, Function<String, Object>> PARSERS = Map.ofEntries(
            Map.entry("java.time.Duration", Duration::parse),
            Map.entry("java.time.Instant", TimeText::instant),
            Map.entry("java.time.LocalDate", LocalDate::parse),
            Map.entry("java.time.LocalDateTime", TimeText::localDateTime),
            Map.entry("java.time.LocalTime", TimeText::localTime),
            Map.entry("java.time.MonthDay", MonthDay::parse),
            Map.entry("java.time.OffsetDateTime", OffsetDateTime::parse),
            Map.entry("java.time.OffsetTime", OffsetTime::parse),
            Map.entry("java.time.Period", Period::parse),
            Map.entry("java.time.Year", Year::parse),
            Map.entry("java.time.YearMonth", YearMonth::parse),
            Map.entry("java.time.ZoneId", ZoneId::of),
            Map.entry("java.time.ZoneOffset", ZoneOffset::of),
            Map.entry("java.time.ZonedDateTime", ZonedDateTime::parse));

    /** The classes whose empty texts are null: Dubbo itself converts them so in a generic call, from 2.7 on. */
    private static final Set<String> NULL_IF_EMPTY =
            Set.of("java.time.LocalDate", "java.time.LocalTime", "java.time.LocalDateTime");

    private static final Map<String, String> EXAMPLES = Map.ofEntries(
            Map.entry("java.time.Duration", "PT5M"),
            Map.entry("java.time.Instant", "2026-11-21T10:00:00Z"),
            Map.entry("java.time.LocalDate", "2026-11-21"),
            Map.entry("java.time.LocalDateTime", "2026-11-21T10:00:00"),
            Map.entry("java.time.LocalTime", "10:00:00"),
            Map.entry("java.time.MonthDay", "--11-21"),
            Map.entry("java.time.OffsetDateTime", "2026-11-21T10:00:00+01:00"),
            Map.entry("java.time.OffsetTime", "10:00:00+01:00"),
            Map.entry("java.time.Period", "P5D"),
            Map.entry("java.time.Year", "2026"),
            Map.entry("java.time.YearMonth", "2026-11"),
            Map.entry("java.time.ZoneId", "Europe/Paris"),
            Map.entry("java.time.ZoneOffset", "+01:00"),
            Map.entry("java.time.ZonedDateTime", "2026-11-21T10:00:00+01:00[Europe/Paris]"));

    /**
     * The format of {@code yyyy-MM-dd HH:mm:ss}, as far as {@code SimpleDateFormat} takes it for a date, and of ISO
     * 8601 with and without an offset.
     */
    private static final DateTimeFormatter MOMENT = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR, 4, 10, SignStyle.EXCEEDS_PAD)
            .appendLiteral('-')
            .appendValue(ChronoField.MONTH_OF_YEAR, 1, 2, SignStyle.NOT_NEGATIVE)
            .appendLiteral('-')
            .appendValue(ChronoField.DAY_OF_MONTH, 1, 2, SignStyle.NOT_NEGATIVE)
            .appendLiteral('T')
            .appendValue(ChronoField.HOUR_OF_DAY, 1, 2, SignStyle.NOT_NEGATIVE)
            .appendLiteral(':')
            .appendValue(ChronoField.MINUTE_OF_HOUR, 1, 2, SignStyle.NOT_NEGATIVE)
            .optionalStart()
            .appendLiteral(':')
            .appendValue(ChronoField.SECOND_OF_MINUTE, 1, 2, SignStyle.NOT_NEGATIVE)
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HH:MM:ss", "Z")
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHmm", "+0000")
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private static final int DATE_LENGTH = "2026-11-21".length();

    private TimeText() {}

    static boolean isKnown(String className) {
        return PARSERS.containsKey(className);
    }

    /** Returns the value, or null if the text is not a value of this class. */
    static Object parse(String className, String text) {
        try {
            return PARSERS.get(className).apply(text);
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /** Returns whether an empty text stands for null. */
    static boolean isNull(String className, String text) {
        return text.isEmpty() && NULL_IF_EMPTY.contains(className);
    }

    /** Returns a value of this class as text. */
    static String example(String className) {
        return EXAMPLES.get(className);
    }

    private static LocalTime localTime(String text) {
        boolean hasDate = text.indexOf('T') > 0 || text.indexOf(' ') > 0;
        return hasDate ? localDateTime(text).toLocalTime() : LocalTime.parse(text);
    }

    /** Parses a date and time with a T between them or, as Dubbo itself has it in a Date, a blank. */
    private static LocalDateTime localDateTime(String text) {
        TemporalAccessor parsed = MOMENT.parse(text.replace(' ', 'T'));
        if (parsed.isSupported(ChronoField.OFFSET_SECONDS)) {
            throw new DateTimeException("a local time with an offset");
        }
        return LocalDateTime.from(parsed);
    }

    /** Parses an instant with any offset. */
    private static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    /**
     * Returns a date and a time with any offset, or without one in the time zone of this process; between them is a T
     * or, as Dubbo itself has it, a blank. A {@code java.sql.Date} may have no time, and a {@code java.sql.Time} no
     * date.
     *
     * @throws DateTimeException if it is neither
     */
    static Instant moment(String className, String text) {
        if (className.equals("java.sql.Date") && text.length() == DATE_LENGTH) {
            return LocalDate.parse(text).atStartOfDay(ZoneId.systemDefault()).toInstant();
        }
        if (className.equals("java.sql.Time") && text.indexOf('-') < 0) {
            return LocalTime.parse(text)
                    .atDate(LocalDate.EPOCH)
                    .atZone(ZoneId.systemDefault())
                    .toInstant();
        }
        return moment(text);
    }

    /** Parses a moment with date and time. */
    static Instant moment(String text) {
        TemporalAccessor moment = MOMENT.parseBest(text.replace(' ', 'T'), OffsetDateTime::from, LocalDateTime::from);
        return moment instanceof OffsetDateTime withOffset
                ? withOffset.toInstant()
                : ((LocalDateTime) moment).atZone(ZoneId.systemDefault()).toInstant();
    }
}
