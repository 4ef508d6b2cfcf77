package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.List;

/** What a change does to the CPU per request: rounds of two sides that have the same number, measured one behind the other, are a pair. */
final class Change {
    static final String BEFORE = "before";
    static final String AFTER = "after";

    private Change() {}

    static Table table(Comparison comparison) {
        Table table = new Table(
                comparison.title() + ": CPU per request, after / before: median of the pairs (95 % interval)",
                "load",
                "pairs",
                "after / before",
                "disturbed pairs");
        for (Point point : comparison.points()) {
            List<Round> before = rounds(comparison, point, BEFORE);
            List<Round> after = rounds(comparison, point, AFTER);
            table.add(point.label(), before.size(), MedianInterval.of(ratios(before, after)), disturbed(before, after));
        }
        return table;
    }

    private static List<Round> rounds(Comparison comparison, Point point, String side) {
        return comparison.rounds().stream()
                .filter(round -> round.point().equals(point) && round.side().equals(side))
                .toList();
    }

    /** Of rounds in the same order. */
    static List<Double> ratios(List<Round> before, List<Round> after) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            ratios.add(after.get(i).cpuUsPerRequest() / before.get(i).cpuUsPerRequest());
        }
        return ratios;
    }

    private static long disturbed(List<Round> before, List<Round> after) {
        long pairs = 0;
        for (int i = 0; i < before.size(); i++) {
            pairs += before.get(i).isDisturbed() || after.get(i).isDisturbed() ? 1 : 0;
        }
        return pairs;
    }
}
