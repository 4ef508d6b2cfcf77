package io.dubbomesh.registry;

import java.io.IOException;

/**
 * The failure of a change where a registry that answers has no weight of an endpoint that it could change: asking again
 * does not help.
 */
public final class FixedWeightException extends IOException {
    private static final long serialVersionUID = 1L;

    public FixedWeightException(String message) {
        super(message);
    }
}
