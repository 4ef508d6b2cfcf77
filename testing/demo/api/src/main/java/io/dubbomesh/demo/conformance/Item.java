package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.math.BigDecimal;

/** A line of an {@link Order}, and the element of most collections here. */
@SuppressWarnings("serial")
public final class Item implements Serializable {
    private String name;
    private BigDecimal price;
    private int quantity;

    public Item() {}

    public Item(String name, BigDecimal price, int quantity) {
        this.name = name;
        this.price = price;
        this.quantity = quantity;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public BigDecimal getPrice() {
        return price;
    }

    public void setPrice(BigDecimal price) {
        this.price = price;
    }

    public int getQuantity() {
        return quantity;
    }

    public void setQuantity(int quantity) {
        this.quantity = quantity;
    }

    @Override
    public String toString() {
        return name + " " + price + " x " + quantity;
    }
}
