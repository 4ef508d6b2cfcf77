package io.dubbomesh.meshctl.document;

import java.util.List;

/**
 * Rates of the last minutes.
 *
 * @param intervalSeconds between two points of a series
 */
public record HistoryDocument(long intervalSeconds, List<MethodHistory> methods) {
    /** Rates of a method in calls per second, the latest last; null where a point is not known. */
    public record MethodHistory(String service, String method, List<Double> calls, List<Double> failed) {}
}
