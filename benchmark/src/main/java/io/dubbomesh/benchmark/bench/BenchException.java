package io.dubbomesh.benchmark.bench;

/** A run cannot go on; the message is all that the user needs. */
final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    BenchException(String message) {
        super(message);
    }
}
