package io.dubbomesh.demo.shop;

/** The delivery of an order. */
public enum Delivery {
    POST,
    COURIER
}
