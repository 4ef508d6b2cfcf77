package io.dubbomesh.demo.conformance;

/** The service's checked exception, with a field. */
@SuppressWarnings("serial")
public final class OutOfStockException extends Exception {
    private int left;

    public OutOfStockException() {}

    public OutOfStockException(String message, int left, Throwable cause) {
        super(message, cause);
        this.left = left;
    }

    public int getLeft() {
        return left;
    }

    public void setLeft(int left) {
        this.left = left;
    }
}
