package io.dubbomesh.meshctl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many calls of each method there were in the last minute, and how many of them failed, by an agent's history.
 * Where it does not have a method, nothing is rare.
 */
final class RecentCalls {
    /** For an agent whose history is not known. */
    static final RecentCalls NONE = new RecentCalls(Map.of());

    private static final int SECONDS = 60;
    /** The history is so much behind. */
    private static final int BEHIND_S = 10;
    /** Of fewer calls a few failures are no rate. */
    private static final int ENOUGH = 300;
    /** One of so many calls may fail before an operator is told of a fault, as on the page. */
    private static final int ONE_OF = 100;

    private record Numbers(double calls, double failed) {}

    private final Map<List<String>, Numbers> methods;

    private RecentCalls(Map<List<String>, Numbers> methods) {
        this.methods = methods;
    }

    /** @param history the agent's document */
    static RecentCalls of(Map<?, ?> history) {
        long interval = Diagnosis.number(history, "intervalSeconds");
        if (interval <= 0) {
            return NONE;
        }
        Map<List<String>, Numbers> methods = new HashMap<>();
        for (Map<?, ?> each : AgentCommand.objects(history, "methods")) {
            methods.put(
                    method(each),
                    new Numbers(
                            sum(each.get("calls"), interval) * interval, sum(each.get("failed"), interval) * interval));
        }
        return new RecentCalls(methods);
    }

    static List<String> method(Map<?, ?> of) {
        return List.of(AgentCommand.text(of, "service"), AgentCommand.text(of, "method"));
    }

    private static double sum(Object series, long interval) {
        List<?> points = series instanceof List<?> list ? list : List.of();
        return points.subList(Math.max(0, points.size() - (int) (SECONDS / interval)), points.size()).stream()
                .mapToDouble(point -> point instanceof Number number ? number.doubleValue() : 0)
                .sum();
    }

    /**
     * Whether at most one of a hundred calls of a method failed.
     *
     * @param failures   of its calls, at most: those that may be older count, too
     * @param secondsAgo the last of them
     */
    boolean areRare(List<String> method, long failures, long secondsAgo) {
        Numbers numbers = methods.get(method);
        return numbers != null
                && numbers.calls >= ENOUGH
                && (failures * ONE_OF <= numbers.calls
                        || secondsAgo >= BEHIND_S && numbers.failed * ONE_OF <= numbers.calls);
    }
}
