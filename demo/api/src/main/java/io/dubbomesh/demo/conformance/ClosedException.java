package io.dubbomesh.demo.conformance;

/** The unchecked exception of the service's own. */
@SuppressWarnings("serial")
public final class ClosedException extends RuntimeException {

    public ClosedException() {}

    public ClosedException(String message) {
        super(message);
    }
}
