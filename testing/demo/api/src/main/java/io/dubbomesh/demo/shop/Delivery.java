package io.dubbomesh.demo.shop;

/** How an order is delivered. */
public enum Delivery {
    POST,
    COURIER
}
