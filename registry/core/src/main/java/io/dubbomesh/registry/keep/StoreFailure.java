package io.dubbomesh.registry.keep;

/** A request to a store that failed. Routine while the store is away, hence without a stack trace. */
public class StoreFailure extends Exception {
    private static final long serialVersionUID = 1;

    public StoreFailure(String message) {
        this(message, null);
    }

    protected StoreFailure(String message, Throwable cause) {
        super(message, cause, false, false);
    }

    /** Returns whether the store refuses one entry: the session and the other entries are as before. */
    public boolean isOfOneEntry() {
        return false;
    }
}
