package io.dubbomesh.protocol.schema;

import java.util.Map;

/** The regular expressions of dates and times as text, exact in the days of each month and in leap years. */
final class TimePatterns {
    private static final String YEAR = "[0-9]{4}";
    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?";
    private static final String OFFSET = "(Z|[+-](0[0-9]|1[0-7]):[0-5][0-9](:[0-5][0-9])?|[+-]18:00(:00)?)";
    private static final String DATE = date("");
    private static final String LOCAL_DATE_TIME = DATE + 'T' + TIME;

    /** The form {@code yyyy-MM-dd HH:mm:ss}, or that of ISO 8601 without an offset; one digit may stand for two. */
    private static final String LOOSE_DATE_TIME =
            date("?") + "[T ]([01]?[0-9]|2[0-3]):[0-5]?[0-9](:[0-5]?[0-9]([.][0-9]{0,9})?)?";

    private static final String SIGNED = "[-+]?[0-9]";
    private static final String SECONDS = SIGNED + "{1,18}([.][0-9]{1,9})?S";
    private static final String MINUTES = SIGNED + "{1,16}M";
    private static final String HOURS = SIGNED + "{1,14}H";
    private static final String TIME_OF_DURATION =
            "T(" + HOURS + '(' + MINUTES + ")?(" + SECONDS + ")?|" + MINUTES + '(' + SECONDS + ")?|" + SECONDS + ')';
    private static final String DURATION =
            "[-+]?P(" + SIGNED + "{1,13}D(" + TIME_OF_DURATION + ")?|" + TIME_OF_DURATION + ')';
    private static final String SMALL = SIGNED + "{1,7}";
    private static final String PERIOD = "[-+]?P(" + SMALL + "Y(" + SMALL + "M)?(" + SMALL + "W)?(" + SMALL + "D)?|"
            + SMALL + "M(" + SMALL + "W)?(" + SMALL + "D)?|" + SMALL + "W(" + SMALL + "D)?|" + SMALL + "D)";

    /** The text that {@code toString} of each class writes. */
    private static final Map<String, String> PATTERNS = Map.ofEntries(
            Map.entry("java.time.LocalDate", DATE),
            Map.entry("java.time.LocalTime", TIME),
            Map.entry("java.time.LocalDateTime", LOCAL_DATE_TIME),
            Map.entry("java.time.Instant", LOCAL_DATE_TIME + OFFSET),
            Map.entry("java.time.OffsetDateTime", LOCAL_DATE_TIME + OFFSET),
            Map.entry("java.time.OffsetTime", TIME + OFFSET),
            Map.entry("java.time.Duration", DURATION),
            Map.entry("java.time.Period", PERIOD),
            Map.entry("java.time.Year", "[-+]?[0-9]{1,9}"),
            Map.entry("java.time.YearMonth", YEAR + "-(0[1-9]|1[0-2])"),
            Map.entry("java.time.MonthDay", "--(" + monthAndDay("", "02-(0[1-9]|[12][0-9])") + ')'),
            Map.entry("java.time.ZoneOffset", OFFSET));

    private TimePatterns() {}

    /** Returns the pattern of a class of {@code java.time}; null if its texts follow none, as the names of zones. */
    static String of(String className) {
        String pattern = PATTERNS.get(className);
        return pattern == null ? null : whole(pattern);
    }

    /** Returns the pattern of what is accepted besides for a class of {@code java.time}; null for nothing. */
    static String otherForms(String className) {
        return switch (className) {
            case "java.time.LocalDate" -> "^$";
            case "java.time.LocalDateTime" -> whole('(' + LOOSE_DATE_TIME + ")?");
            case "java.time.LocalTime" -> whole('(' + LOOSE_DATE_TIME + ")?");
            case "java.time.ZoneOffset" ->
                whole("[+-]([0-9]|(0[0-9]|1[0-7])(:[0-5][0-9]|[0-5][0-9]([0-5][0-9])?)?|18(:?00)?|180000)");
            default -> null;
        };
    }

    /** Returns the pattern of what is accepted for a moment besides ISO 8601 with seconds and an offset. */
    static String otherMoments(String className) {
        String moment = LOOSE_DATE_TIME + "(Z|[+-](0[0-9]|1[0-7])(:?[0-5][0-9])?|[+-]18(:?00)?)?";
        return whole(
                switch (className) {
                    case "java.sql.Date" -> '(' + moment + '|' + DATE + ')';
                    case "java.sql.Time" -> '(' + moment + '|' + TIME + ')';
                    default -> moment;
                });
    }

    private static String whole(String pattern) {
        return '^' + pattern + '$';
    }

    /** @param zero what follows a zero in front: a question mark if it may be left out */
    private static String date(String zero) {
        String ordinary = monthAndDay(zero, "0" + zero + "2-(0" + zero + "[1-9]|1[0-9]|2[0-8])");
        String leapYear = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)";
        return "(" + YEAR + "-(" + ordinary + ")|" + leapYear + "-0" + zero + "2-29)";
    }

    private static String monthAndDay(String zero, String february) {
        String tens = "0" + zero + "[1-9]|[12][0-9]|3";
        return "(0" + zero + "[13578]|1[02])-(" + tens + "[01])|(0" + zero + "[469]|11)-(" + tens + "0)|" + february;
    }
}
