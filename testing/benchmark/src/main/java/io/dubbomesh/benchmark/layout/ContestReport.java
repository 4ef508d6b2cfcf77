package io.dubbomesh.benchmark.layout;

import io.dubbomesh.benchmark.report.Report;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The tables of a run of the 2018 layout. The first side is compared with the second, by pairs of rounds. */
record ContestReport(List<LayoutSide> sides, List<LayoutSide.Round> measured) {
    private static final double US_PER_MS = 1e3;

    void addTo(Report report) {
        report.add(figures());
        report.add(containers());
        measured.forEach(report::addRound);
    }

    private interface Visitor {
        void visit(int connections, LayoutSide side, List<LayoutSide.Round> rounds);
    }

    private void forEach(Visitor visitor) {
        measured.stream().map(LayoutSide.Round::connections).distinct().sorted().forEach(connections -> {
            for (LayoutSide side : sides) {
                visitor.visit(connections, side, rounds(side, connections));
            }
        });
    }

    private List<LayoutSide.Round> rounds(LayoutSide side, int connections) {
        return measured.stream()
                .filter(round -> round.side() == side && round.connections() == connections)
                .toList();
    }

    private Table figures() {
        String second = sides.size() == 1 ? "" : sides.get(1).name();
        Table table = new Table(
                "The 2018 layout",
                "connections | agents | requests/s | errors | p50 ms | p99 ms | ratio to " + second + " | outside %");
        forEach((connections, side, rounds) -> table.add(
                connections,
                side.name(),
                Spread.of(rounds, round -> round.load().qps()),
                rounds.stream().mapToLong(round -> round.load().errors()).sum(),
                Spread.of(rounds, round -> round.load().p50Us() / US_PER_MS),
                Spread.of(rounds, round -> round.load().p99Us() / US_PER_MS),
                side == sides.get(0) && sides.size() > 1 ? ratio(connections) : "",
                Spread.of(rounds, LayoutSide.Round::outsidePercent)));
        return table;
    }

    /** With one more decimal than tables have. */
    private String ratio(int connections) {
        List<LayoutSide.Round> ours = rounds(sides.get(0), connections);
        List<LayoutSide.Round> others = rounds(sides.get(1), connections);
        Spread spread =
                Spread.of(Spread.ratios(ours, others, round -> round.load().qps()));
        return String.format(Locale.ROOT, "%.3f (%.3f-%.3f)", spread.median(), spread.min(), spread.max());
    }

    private Table containers() {
        Table table = new Table(
                "CPU of each container",
                "connections | agents | container | cores | quota | % of it | throttled periods % | agent "
                        + "us/request | service us/request");
        forEach((connections, side, rounds) -> {
            for (int i = 0; i < side.containers().size(); i++) {
                int at = i;
                Container container = side.containers().get(i);
                double cores = median(rounds, round -> round.cores(at));
                table.add(
                        connections,
                        side.name(),
                        container.name(),
                        cores,
                        container.quota(),
                        100 * cores / container.quota(),
                        median(rounds, round -> throttledPercent(round.uses().get(at))),
                        median(
                                rounds,
                                round -> round.perRequest(round.uses().get(at).agentUs())),
                        median(
                                rounds,
                                round -> round.perRequest(round.uses().get(at).servicesUs())));
            }
        });
        return table;
    }

    private static double median(List<LayoutSide.Round> rounds, ToDoubleFunction<LayoutSide.Round> figure) {
        return Spread.of(rounds, figure).median();
    }

    private static double throttledPercent(Container.Use use) {
        return use.all().periods() == 0
                ? 0
                : 100.0 * use.all().throttled() / use.all().periods();
    }
}
