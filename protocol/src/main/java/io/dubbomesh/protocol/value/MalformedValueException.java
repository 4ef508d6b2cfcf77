package io.dubbomesh.protocol.value;

/**
 * Bytes that are not a value of their format, or exceed a bound. Hostile peers can send many, hence without a stack
 * trace.
 */
public sealed class MalformedValueException extends Exception permits CostlyValueException {
    private static final long serialVersionUID = 1L;

    public MalformedValueException(String detail) {
        super(detail, null, false, false);
    }
}
