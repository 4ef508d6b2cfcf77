package io.dubbomesh.demo.shop;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;

/** An order for one kind of item. */
public final class Order implements Serializable {
    private static final long serialVersionUID = 1L;

    private String item;
    private int quantity;
    private BigDecimal price;
    private Delivery delivery;
    private LocalDate day;

    public String getItem() {
        return item;
    }

    public void setItem(String item) {
        this.item = item;
    }

    public int getQuantity() {
        return quantity;
    }

    public void setQuantity(int quantity) {
        this.quantity = quantity;
    }

    /** Returns the price of one item. */
    public BigDecimal getPrice() {
        return price;
    }

    public void setPrice(BigDecimal price) {
        this.price = price;
    }

    public Delivery getDelivery() {
        return delivery;
    }

    public void setDelivery(Delivery delivery) {
        this.delivery = delivery;
    }

    public LocalDate getDay() {
        return day;
    }

    public void setDay(LocalDate day) {
        this.day = day;
    }
}
