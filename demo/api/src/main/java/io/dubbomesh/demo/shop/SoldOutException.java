package io.dubbomesh.demo.shop;

/** There is less than was ordered. */
public final class SoldOutException extends Exception {
    private static final long serialVersionUID = 1L;

    public SoldOutException(String message) {
        super(message);
    }
}
