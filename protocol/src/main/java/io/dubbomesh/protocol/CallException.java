package io.dubbomesh.protocol;

/** A call that cannot go on, for a reason its caller is told. Routine under load, hence without a stack trace. */
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
