package io.dubbomesh.transport.call;

/**
 * A call in a table of {@link PendingCalls}: its id and its deadline. Reused: what was taken out can be added again.
 */
public abstract class PendingCall {
    static final long NONE = 0;
    static final int NO_SLOT = -1;

    long id = NONE;
    long deadlineNs;
    /** The place in the deadline ring; {@link #NO_SLOT} while it has no deadline or is not pending. */
    int slot = NO_SLOT;

    /** Neighbours in the deadline ring; null while the call has no deadline or is not pending. */
    PendingCall previous;

    PendingCall next;

    /** Returns the id under which it is pending, 0 while it is not. */
    public final long id() {
        return id;
    }

    /** Returns the deadline by {@link System#nanoTime()}; meaningful while the call is pending with one. */
    public final long deadlineNs() {
        return deadlineNs;
    }
}
