package io.dubbomesh.demo.shop;

/** Fewer items are available than were ordered. */
public final class SoldOutException extends Exception {
    private static final long serialVersionUID = 1L;

    public SoldOutException(String message) {
        super(message);
    }
}
