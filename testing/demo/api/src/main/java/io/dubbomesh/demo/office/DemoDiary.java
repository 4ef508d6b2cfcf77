package io.dubbomesh.demo.office;

import io.dubbomesh.demo.conformance.Description;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** The office's diary. */
public final class DemoDiary implements Diary {
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    @Override
    public Date nextDay(Date day) {
        return day == null ? null : new Date(day.getTime() + DAY_MS);
    }

    @Override
    public LocalDate nextLocalDay(LocalDate day) {
        return day.plusDays(1);
    }

    @Override
    public LocalDateTime nextHour(LocalDateTime time) {
        return time.plusHours(1);
    }

    @Override
    public Timestamp nextSecond(Timestamp time) {
        return new Timestamp(time.getTime() + 1000);
    }

    @Override
    public Appointment postpone(Appointment appointment) {
        Appointment later = new Appointment();
        later.setTitle(appointment.getTitle());
        later.setStart(nextDay(appointment.getStart()));
        later.setDay(appointment.getDay() == null ? null : nextLocalDay(appointment.getDay()));
        later.setLocal(
                appointment.getLocal() == null ? null : appointment.getLocal().plusDays(1));
        later.setReminders(appointment.getReminders() == null ? null : nextDays(appointment.getReminders()));
        return later;
    }

    @Override
    public List<Date> nextDays(List<Date> days) {
        List<Date> next = new ArrayList<>();
        for (Date day : days) {
            next.add(nextDay(day));
        }
        return next;
    }

    @Override
    public String describe(Map<String, Object> values) {
        return Description.of(values);
    }

    @Override
    public Map<String, Object> echo(Map<String, Object> values) {
        return values;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public long sum(List numbers) {
        long sum = 0;
        for (Long number : (List<Long>) numbers) {
            sum += number;
        }
        return sum;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public String describeList(List numbers) {
        return Description.of(numbers);
    }

    @Override
    public String book(String title) {
        return title;
    }

    @Override
    public String book(String title, int seats) {
        return title + " for " + seats;
    }

    @Override
    public String book(Appointment appointment) {
        return "appointment " + appointment.getTitle();
    }
}
