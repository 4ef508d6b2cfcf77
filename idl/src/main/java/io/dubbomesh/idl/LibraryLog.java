package io.dubbomesh.idl;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The log of the library, which would go to the standard error output, one line for each request that some client
 * sends. It takes some malformed timestamps and logs a warning, until a later version refuses them: here they are
 * refused.
 */
final class LibraryLog {
    // Else the JVM may forget what was set.
    private static final Logger TIMESTAMPS = Logger.getLogger("com.google.protobuf.util.Timestamps");
    private static final Logger TYPES = Logger.getLogger("com.google.protobuf.TypeRegistry");

    static {
        TIMESTAMPS.setLevel(Level.WARNING);
        TIMESTAMPS.setFilter(warning -> {
            throw new MalformedTimestampException(warning.getMessage());
        });
        // Warnings of types that are in several files, of which the first counts.
        TYPES.setLevel(Level.OFF);
    }

    private static final class MalformedTimestampException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        MalformedTimestampException(String message) {
            super(message);
        }
    }

    private LibraryLog() {}

    /** Called before the library is used. */
    static void init() {
        // The class is initialized.
    }
}
