package io.dubbomesh.protocol.hessian;

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

    /** Returns the one of this class, or null. */
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
}
