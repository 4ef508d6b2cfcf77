package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.document.HistoryDocument;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The number of calls of each method in the last minute, and of those that failed, as an agent's history has them.
 * Failures of a method that it does not have are not rare.
 */
final class RecentCalls {
    /** The calls of an agent whose history is not known. */
    static final RecentCalls NONE = new RecentCalls(Map.of());

    private static final int SECONDS = 60;
    /** The history is so much behind. */
    private static final int BEHIND_S = 10;
    /** A few failures of fewer calls are no rate. */
    private static final int ENOUGH = 300;
    /** One of so many calls may fail before an operator is told of a fault, as on the page. */
    private static final int ONE_OF = 100;

    /** A method of a service. */
    record MethodKey(String service, String name) {}

    private record Numbers(double calls, double failed) {}

    private final Map<MethodKey, Numbers> methods;

    private RecentCalls(Map<MethodKey, Numbers> methods) {
        this.methods = methods;
    }

    /** Returns the calls in the history of an agent. */
    static RecentCalls in(HistoryDocument history) {
        long interval = history.intervalSeconds();
        if (interval <= 0) {
            return NONE;
        }
        Map<MethodKey, Numbers> methods = new HashMap<>();
        for (HistoryDocument.MethodHistory each : history.methods()) {
            methods.put(
                    new MethodKey(each.service(), each.method()),
                    new Numbers(sum(each.calls(), interval) * interval, sum(each.failed(), interval) * interval));
        }
        return new RecentCalls(methods);
    }

    private static double sum(List<Double> points, long interval) {
        return points.subList(Math.max(0, points.size() - (int) (SECONDS / interval)), points.size()).stream()
                .mapToDouble(point -> point == null ? 0 : point)
                .sum();
    }

    /**
     * Returns whether at most one of a hundred calls of a method failed.
     *
     * @param failures   of its calls, at most: those that may be older count, too
     * @param secondsAgo the last of them
     */
    boolean areRare(MethodKey method, long failures, long secondsAgo) {
        Numbers numbers = methods.get(method);
        return numbers != null
                && numbers.calls >= ENOUGH
                && (failures * ONE_OF <= numbers.calls
                        || secondsAgo >= BEHIND_S && numbers.failed * ONE_OF <= numbers.calls);
    }
}
