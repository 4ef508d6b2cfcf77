package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.MethodName;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The latest failures of all event loops of an agent, the latest first: the document that the admin interface shows.
 */
public record FailureReport(List<Entry> failures) {
    /**
     * Calls that failed in the same way. Null: does not have it.
     *
     * @param status     the HTTP status
     * @param firstAt    in ISO 8601
     * @param secondsAgo since the last one, by the agent's clock
     * @param reason     why the last of them failed, or one of the last
     */
    public record Entry(
            String code,
            int status,
            String service,
            String method,
            String version,
            String group,
            String endpoint,
            long count,
            String firstAt,
            String lastAt,
            double secondsAgo,
            String reason) {}

    /** @param loops the failures of each event loop */
    public static FailureReport of(List<List<Failure>> loops, long nowMs) {
        Map<Failure, Failure> merged = new LinkedHashMap<>();
        loops.forEach(
                failures -> failures.forEach(failure -> merged.merge(failure.identity(), failure, Failure::plus)));
        return new FailureReport(merged.values().stream()
                .sorted(Comparator.comparingLong(Failure::lastMs).reversed())
                .map(failure -> entry(failure, nowMs))
                .toList());
    }

    private static Entry entry(Failure failure, long nowMs) {
        boolean described = MethodName.DESCRIBE.equals(failure.method());
        return new Entry(
                failure.outcome().code(),
                failure.outcome().httpStatus(),
                failure.service(),
                described ? null : failure.method(),
                failure.version(),
                failure.group(),
                failure.endpoint(),
                failure.count(),
                Instant.ofEpochMilli(failure.firstMs()).toString(),
                Instant.ofEpochMilli(failure.lastMs()).toString(),
                Math.max(0, nowMs - failure.lastMs()) / 1e3,
                failure.reason());
    }
}
