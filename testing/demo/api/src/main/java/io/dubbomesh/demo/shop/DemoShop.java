package io.dubbomesh.demo.shop;

import java.math.BigDecimal;
import java.util.function.UnaryOperator;

/** The demo's shop. */
public final class DemoShop implements Shop {
    private static final int IN_STOCK = 10;
    private static final int DAYS_BY_POST = 2;

    private final String name;
    private final UnaryOperator<String> attachments;

    /** @param attachments of the current call, by key; null if there is none */
    public DemoShop(String name, UnaryOperator<String> attachments) {
        this.name = name;
        this.attachments = attachments;
    }

    @Override
    public Receipt buy(Order order) throws SoldOutException {
        if (order.getPrice() == null || order.getDay() == null) {
            throw new IllegalArgumentException("an order needs a price, as 3.50, and a day, as 2026-12-30");
        }
        if (order.getQuantity() > IN_STOCK) {
            throw new SoldOutException(
                    order.getItem() + ": " + order.getQuantity() + " ordered (in stock: " + IN_STOCK + ")");
        }
        boolean byPost = order.getDelivery() != Delivery.COURIER;
        Receipt receipt = new Receipt();
        receipt.setItem(order.getItem());
        receipt.setTotal(order.getPrice().multiply(BigDecimal.valueOf(order.getQuantity())));
        receipt.setDelivery(order.getDelivery());
        receipt.setDay(byPost ? order.getDay().plusDays(DAYS_BY_POST) : order.getDay());
        return receipt;
    }

    @Override
    public String greet(String visitor) {
        boolean german = "de".equals(attachments.apply("language"));
        return (german ? "Willkommen im " : "Welcome to the ") + name + ", " + visitor;
    }
}
