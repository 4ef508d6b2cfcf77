package io.dubbomesh.protocol.definition;

/** The description of a service is malformed: the service counts as not described. */
public final class MalformedDefinitionException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedDefinitionException(String message) {
        super(message, null, false, false);
    }
}
