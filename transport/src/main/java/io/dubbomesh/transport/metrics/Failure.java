package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.Outcome;

/**
 * Calls that failed in the same way; immutable. What they do not have is null: the method of a request that was none,
 * the endpoint of a call that was sent to none.
 *
 * @param firstMs when the first of them was answered, in milliseconds since 1970
 * @param lastMs  when the last of them was answered
 * @param reason  why the last of them failed, or one of the last
 */
public record Failure(
        Outcome outcome,
        String service,
        String method,
        String version,
        String group,
        String endpoint,
        long count,
        long firstMs,
        long lastMs,
        String reason) {

    /** Returns the failure without what changes from call to call. */
    Failure identity() {
        return new Failure(outcome, service, method, version, group, endpoint, 0, 0, 0, "");
    }

    /** Returns these failures together with the same ones of another event loop. */
    Failure plus(Failure other) {
        Failure later = lastMs >= other.lastMs ? this : other;
        return new Failure(
                outcome,
                service,
                method,
                version,
                group,
                endpoint,
                count + other.count,
                Math.min(firstMs, other.firstMs),
                later.lastMs,
                later.reason);
    }
}
