package io.dubbomesh.demo.shop;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;

/** The bought items. */
public final class Receipt implements Serializable {
    private static final long serialVersionUID = 1L;

    private String item;
    private BigDecimal total;
    private Delivery delivery;
    private LocalDate day;

    public String getItem() {
        return item;
    }

    public void setItem(String item) {
        this.item = item;
    }

    public BigDecimal getTotal() {
        return total;
    }

    public void setTotal(BigDecimal total) {
        this.total = total;
    }

    public Delivery getDelivery() {
        return delivery;
    }

    public void setDelivery(Delivery delivery) {
        this.delivery = delivery;
    }

    /** The day of delivery: by courier the day of the order, by post two days later. */
    public LocalDate getDay() {
        return day;
    }

    public void setDay(LocalDate day) {
        this.day = day;
    }
}
