package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.report.MedianInterval;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.util.List;

/**
 * The effect of a change, or of a setting, on the CPU per request. Rounds of the same number, which follow each other,
 * are a pair.
 */
public final class Change {
    public static final String BEFORE = "before";
    public static final String AFTER = "after";

    private Change() {}

    /** Returns the table of two sides of the comparison. */
    public static Table table(Comparison comparison, String base, String other) {
        String ratio = other + " / " + base;
        Table table = new Table(
                comparison.title() + ": CPU per request, " + ratio + ": median of the pairs (95 % interval)",
                "load | pairs | " + ratio + " | disturbed pairs");
        for (Point point : comparison.points()) {
            List<Round> before = comparison.rounds(base, point);
            List<Round> after = comparison.rounds(other, point);
            long disturbed = 0;
            for (int i = 0; i < before.size(); i++) {
                disturbed += before.get(i).isDisturbed() || after.get(i).isDisturbed() ? 1 : 0;
            }
            List<Double> ratios = Spread.ratios(after, before, Round::cpuUsPerRequest);
            table.add(point.label(), before.size(), MedianInterval.of(ratios), disturbed);
        }
        return table;
    }
}
