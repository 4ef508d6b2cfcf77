package io.dubbomesh.demo.office;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;

/**
 * Values that can be written in several ways, and what a call can leave open: dates, decimals, elements of a list, an
 * overload.
 */
public interface Diary {
    Date nextDay(Date day);

    LocalDate nextLocalDay(LocalDate day);

    LocalDateTime nextHour(LocalDateTime time);

    java.sql.Timestamp nextSecond(java.sql.Timestamp time);

    /** Returns the appointment a day later. */
    Appointment postpone(Appointment appointment);

    List<Date> nextDays(List<Date> days);

    /** Returns the classes of what has arrived. */
    String describe(Map<String, Object> values);

    Map<String, Object> echo(Map<String, Object> values);

    /** A list without an element type: the elements must be {@code Long}, else the service fails. */
    @SuppressWarnings("rawtypes")
    long sum(List numbers);

    @SuppressWarnings("rawtypes")
    String describeList(List numbers);

    String book(String title);

    String book(String title, int seats);

    String book(Appointment appointment);
}
