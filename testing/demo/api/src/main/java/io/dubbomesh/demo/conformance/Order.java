package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** Objects within an object, in a list, an array and a map. */
@SuppressWarnings("serial")
public final class Order implements Serializable {
    private long id;
    private Person customer;
    private Color color;
    private Date placed;
    private List<Item> items;
    private Item[] gifts;
    private Map<String, Item> byShelf;

    public long getId() {
        return id;
    }

    public void setId(long id) {
        this.id = id;
    }

    public Person getCustomer() {
        return customer;
    }

    public void setCustomer(Person customer) {
        this.customer = customer;
    }

    public Color getColor() {
        return color;
    }

    public void setColor(Color color) {
        this.color = color;
    }

    public Date getPlaced() {
        return placed;
    }

    public void setPlaced(Date placed) {
        this.placed = placed;
    }

    public List<Item> getItems() {
        return items;
    }

    public void setItems(List<Item> items) {
        this.items = items;
    }

    public Item[] getGifts() {
        return gifts;
    }

    public void setGifts(Item[] gifts) {
        this.gifts = gifts;
    }

    public Map<String, Item> getByShelf() {
        return byShelf;
    }

    public void setByShelf(Map<String, Item> byShelf) {
        this.byShelf = byShelf;
    }
}
