package io.dubbomesh.protocol.value;

/**
 * A value that would take longer to be read than its reader may take; another reader may have more {@link ReadingTime}.
 */
public final class CostlyValueException extends MalformedValueException {
    private static final long serialVersionUID = 1L;

    CostlyValueException() {
        super("it takes longer to be read than is allowed");
    }
}
