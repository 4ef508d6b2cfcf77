package io.dubbomesh.demo.shop;

/** How an order gets to its buyer. */
public enum Delivery {
    POST,
    COURIER
}
