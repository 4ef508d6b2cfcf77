package io.dubbomesh.protocol;

/**
 * A call fails with this outcome and detail, which the client gets. Routine under load, hence without a stack trace.
 */
public final class CallException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Outcome outcome;

    public CallException(Outcome outcome, String detail) {
        super(detail, null, false, false);
        this.outcome = outcome;
    }

    public Outcome outcome() {
        return outcome;
    }
}
