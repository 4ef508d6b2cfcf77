package io.dubbomesh.protocol.value;

/** Bytes that are no value of their format, or not within the bounds set to them. Hostile peers make many, hence without a stack trace. */
public final class MalformedValueException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedValueException(String detail) {
        super(detail, null, false, false);
    }
}
