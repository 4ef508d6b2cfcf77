package io.dubbomesh.protocol.type;

/**
 * A value can be sent in a generic call only, since the provider must make it: what was written of the arguments is to
 * be removed, and all is to be written by {@link Arguments#converted} or {@link Arguments#asObjects}. Routine, hence
 * without a stack trace.
 */
public final class NotNativeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final NotNativeException CONVERTED = new NotNativeException(false);
    /** The provider must make all objects: one in another that its reader makes would be out of its reach. */
    static final NotNativeException AS_OBJECTS = new NotNativeException(true);

    private final boolean asObjects;

    private NotNativeException(boolean asObjects) {
        super("a value that only a generic call can carry", null, false, false);
        this.asObjects = asObjects;
    }

    /** Returns whether {@link Arguments#asObjects} are needed. */
    public boolean asObjects() {
        return asObjects;
    }
}
