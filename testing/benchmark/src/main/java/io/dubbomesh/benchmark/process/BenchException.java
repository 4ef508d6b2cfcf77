package io.dubbomesh.benchmark.process;

/** The run cannot continue. The message is all that the user needs. */
public final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }
}
