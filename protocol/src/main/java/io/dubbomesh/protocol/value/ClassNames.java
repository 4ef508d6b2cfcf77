package io.dubbomesh.protocol.value;

/** What happens to the names of objects' classes in JSON. */
public enum ClassNames {
    /** Not written. */
    OMIT,
    /** Not written, and maps lose a text with the key {@code class}: the result of a generic call has such maps for objects. */
    REMOVE,
    /** An object's first member is {@code class}; maps stay as they are. */
    WRITE
}
