package io.dubbomesh.meshctl.document;

/**
 * Calls that failed in the same way.
 *
 * @param status     the HTTP status
 * @param endpoint   empty if they were sent to none
 * @param secondsAgo since the last of them
 * @param reason     why one of the last of them failed
 */
public record FailureDocument(
        String code,
        long status,
        String service,
        String method,
        String version,
        String group,
        String endpoint,
        long count,
        String lastAt,
        double secondsAgo,
        String reason) {
    /** Returns the full seconds since the last of them. */
    public long age() {
        return (long) secondsAgo;
    }
}
