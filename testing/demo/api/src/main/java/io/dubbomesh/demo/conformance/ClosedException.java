package io.dubbomesh.demo.conformance;

/** The service's unchecked exception. */
@SuppressWarnings("serial")
public final class ClosedException extends RuntimeException {

    public ClosedException() {}

    public ClosedException(String message) {
        super(message);
    }
}
