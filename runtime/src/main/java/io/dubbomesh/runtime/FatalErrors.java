package io.dubbomesh.runtime;

import java.util.function.Consumer;

/**
 * Errors after which a process does not go on: memory is used up. An event loop survives an OutOfMemoryError, but no
 * longer serves. Code that catches errors of any kind passes them to {@link #check}, unless they are logged: what is
 * logged is checked too.
 */
public final class FatalErrors {
    /** The number of causes that are looked at; they could form a ring. */
    private static final int MAX_DEPTH = 16;

    private static volatile Consumer<OutOfMemoryError> handler = error -> {};

    private FatalErrors() {}

    /** Sets what is done; without, nothing is, since several agents may live in one JVM. */
    public static void handle(Consumer<OutOfMemoryError> newHandler) {
        handler = newHandler;
    }

    /** Does not return, in the process of an agent, if memory was used up. */
    public static void check(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof OutOfMemoryError error) {
                handler.accept(error);
                return;
            }
            cause = cause.getCause();
        }
    }
}
