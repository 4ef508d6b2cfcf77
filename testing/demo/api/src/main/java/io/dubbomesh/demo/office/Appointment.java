package io.dubbomesh.demo.office;

import java.io.Serializable;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.List;

/** A date of each kind as a field. */
@SuppressWarnings("serial")
public final class Appointment implements Serializable {
    private String title;
    private Date start;
    private LocalDate day;
    private LocalDateTime local;
    private List<Date> reminders;

    public String getTitle() {
        return title;
    }

    public void setTitle(String title) {
        this.title = title;
    }

    public Date getStart() {
        return start;
    }

    public void setStart(Date start) {
        this.start = start;
    }

    public LocalDate getDay() {
        return day;
    }

    public void setDay(LocalDate day) {
        this.day = day;
    }

    public LocalDateTime getLocal() {
        return local;
    }

    public void setLocal(LocalDateTime local) {
        this.local = local;
    }

    public List<Date> getReminders() {
        return reminders;
    }

    public void setReminders(List<Date> reminders) {
        this.reminders = reminders;
    }
}
