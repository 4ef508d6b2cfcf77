package io.dubbomesh.transport.call;

/**
 * A call in a table of {@link PendingCalls}: its id and its deadline. Reused: what was taken out can be added again.
 */
public abstract class PendingCall {
    static final long NONE = 0;

    long id = NONE;
    long deadlineNs;

    /** Returns the id under which it is pending, 0 while it is not. */
    public final long id() {
        return id;
    }

    /** Returns the deadline by {@link System#nanoTime()}; meaningful while the call is pending with one. */
    public final long deadlineNs() {
        return deadlineNs;
    }
}
