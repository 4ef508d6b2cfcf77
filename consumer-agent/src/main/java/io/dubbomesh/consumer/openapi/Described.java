package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;

/**
 * What was answered when a service was to be described.
 *
 * @param name     with its version and group
 * @param document the description; null if there is none
 * @param outcome  OK with a description
 * @param reason   why there is none; null with a description
 */
public record Described(MethodName name, byte[] document, Outcome outcome, String reason) {
    static Described by(MethodName name, byte[] document) {
        return new Described(name, document, Outcome.OK, null);
    }

    public static Described not(MethodName name, Outcome outcome, String reason) {
        return new Described(name, null, outcome, reason);
    }
}
