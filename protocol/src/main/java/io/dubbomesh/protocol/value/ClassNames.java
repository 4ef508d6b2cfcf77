package io.dubbomesh.protocol.value;

/** The treatment of the names of objects' classes in JSON. */
public enum ClassNames {
    /** Not written. */
    OMIT,
    /**
     * Not written, and a text with the key {@code class} is removed from maps, which objects are in the result of a
     * generic call.
     */
    REMOVE,
    /** An object's first member is {@code class}; maps stay as they are. */
    WRITE,
    /**
     * Writes class names like {@link #WRITE}, in the result of a generic call: its maps name their classes themselves.
     */
    KEEP;

    public boolean areWritten() {
        return this == WRITE || this == KEEP;
    }

    public boolean isOfGenericCall() {
        return this == REMOVE || this == KEEP;
    }
}
