package io.dubbomesh.protocol.type;

/**
 * A value can be sent in a generic call only, since the provider must make it: what was written of the arguments is to
 * be removed, and all is to be written by {@link Arguments#generic}. Routine, hence without a stack trace.
 */
public final class NotNativeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final NotNativeException INSTANCE = new NotNativeException();

    private NotNativeException() {
        super("a value that only a generic call can carry", null, false, false);
    }
}
