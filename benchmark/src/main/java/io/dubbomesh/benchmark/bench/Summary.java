package io.dubbomesh.benchmark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A comparison in tables and charts: medians over the rounds, with the lowest and the highest. */
final class Summary {
    private static final String UNKNOWN = "-";
    private static final double US_PER_MS = 1e3;
    private static final double MS_PER_SECOND = 1e3;

    private final Comparison comparison;

    Summary(Comparison comparison) {
        this.comparison = comparison;
    }

    Table figures() {
        boolean limited = comparison.delayMs() > 0;
        Table table = new Table(
                comparison.title() + ": median (lowest-highest) of the rounds",
                "load",
                "side",
                "requests/s",
                limited ? "of the limit" : "of the first side",
                "p50 ms",
                "p90 ms",
                "p99 ms",
                "CPU us/request",
                "errors",
                "disturbed rounds");
        forEach((point, side, rounds) -> {
            Spread qps = spread(rounds, round -> round.load().qps());
            double whole = limited ? point.connections() * MS_PER_SECOND / comparison.delayMs() : firstSide(point);
            table.add(
                    point.label(),
                    side.name(),
                    qps,
                    qps.median() / whole,
                    latencyMs(rounds, LoadResult::p50Us),
                    latencyMs(rounds, LoadResult::p90Us),
                    latencyMs(rounds, LoadResult::p99Us),
                    spread(rounds, Round::cpuUsPerRequest),
                    rounds.stream().mapToLong(round -> round.load().errors()).sum(),
                    rounds.stream().filter(Round::isDisturbed).count());
        });
        return table;
    }

    private static Object latencyMs(List<Round> rounds, ToLongFunction<LoadResult> us) {
        Spread spread = spread(rounds, round -> us.applyAsLong(round.load()) / US_PER_MS);
        return spread.min() < 0 ? UNKNOWN : spread;
    }

    private double firstSide(Point point) {
        return spread(
                        comparison.rounds(comparison.sides().get(0), point),
                        round -> round.load().qps())
                .median();
    }

    Table programs() {
        Table table = new Table(
                comparison.title() + ": its programs",
                "load",
                "side",
                "program",
                "CPU us/request",
                "user us",
                "system us",
                "RSS MiB",
                "PSS MiB",
                "allocated B/request",
                "collections",
                "pauses ms");
        forEach((point, side, rounds) -> {
            for (int i = 0; i < side.allPrograms().size(); i++) {
                int program = i;
                table.add(
                        point.label(),
                        side.name(),
                        side.allPrograms().get(i).name(),
                        spread(rounds, round -> round.cpuUsPerRequest(usage(round, program))),
                        spread(
                                        rounds,
                                        round -> perRequest(
                                                round,
                                                usage(round, program).cpu().userUs()))
                                .median(),
                        spread(
                                        rounds,
                                        round -> perRequest(
                                                round,
                                                usage(round, program).cpu().systemUs()))
                                .median(),
                        spread(rounds, round -> usage(round, program).rssMib()).median(),
                        spread(rounds, round -> usage(round, program).pssMib()).median(),
                        allocation(rounds, program),
                        stops(rounds, program, GcLog.Stops::collections),
                        stops(rounds, program, GcLog.Stops::pauseMs));
            }
        });
        return table;
    }

    private static Object allocation(List<Round> rounds, int program) {
        if (usage(rounds.get(0), program).stops() == null) {
            return UNKNOWN;
        }
        return spread(rounds, round -> perRequest(round, usage(round, program).allocatedBytes()))
                .median();
    }

    /** The median over the rounds, or nothing if the program is no JVM. */
    private static Object stops(List<Round> rounds, int program, ToDoubleFunction<GcLog.Stops> figure) {
        if (usage(rounds.get(0), program).stops() == null) {
            return UNKNOWN;
        }
        return spread(
                        rounds,
                        round -> figure.applyAsDouble(usage(round, program).stops()))
                .median();
    }

    private static Usage usage(Round round, int program) {
        return round.usages().get(program);
    }

    private static double perRequest(Round round, long us) {
        return (double) us / round.load().requests();
    }

    private static Spread spread(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return Spread.of(rounds.stream().map(figure::applyAsDouble).toList());
    }

    /** What the HTML report draws. */
    List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        charts.add(throughput());
        charts.add(cpu());
        for (Point point : comparison.points()) {
            LineChart latency = latency(point);
            if (!latency.isEmpty()) {
                charts.add(latency);
            }
        }
        return charts;
    }

    private BarChart throughput() {
        BarChart chart = new BarChart(comparison.title() + ": requests per second", "requests/s");
        forEach((point, side, rounds) -> {
            Spread qps = spread(rounds, round -> round.load().qps());
            chart.bar(point.label(), side.name())
                    .part(side.name(), qps.median())
                    .spread(qps);
        });
        return chart;
    }

    private BarChart cpu() {
        BarChart chart = new BarChart(comparison.title() + ": CPU per request, by program", "us");
        forEach((point, side, rounds) -> {
            BarChart.Bar bar = chart.bar(point.label(), side.name()).spread(spread(rounds, Round::cpuUsPerRequest));
            for (int i = 0; i < side.programs().size(); i++) {
                int program = i;
                bar.part(
                        side.programs().get(i).name(),
                        spread(rounds, round -> round.cpuUsPerRequest(usage(round, program)))
                                .median());
            }
        });
        return chart;
    }

    private LineChart latency(Point point) {
        LineChart chart =
                LineChart.ofPercentiles(comparison.title() + ", " + point.label() + ": latency by percentile", "ms");
        for (Side side : comparison.sides()) {
            List<Round> rounds = comparison.rounds(side, point);
            List<LoadResult.Quantile> curve = rounds.get(0).load().curve();
            List<double[]> line = new ArrayList<>();
            for (int i = 0; i < curve.size(); i++) {
                int at = i;
                Spread us = spread(rounds, round -> round.load().curve().get(at).us());
                line.add(new double[] {curve.get(i).percentile(), us.median() / US_PER_MS});
            }
            if (!line.isEmpty()) {
                chart.line(side.name(), line);
            }
        }
        return chart;
    }

    private interface Visitor {
        void visit(Point point, Side side, List<Round> rounds);
    }

    private void forEach(Visitor visitor) {
        for (Point point : comparison.points()) {
            for (Side side : comparison.sides()) {
                visitor.visit(point, side, comparison.rounds(side, point));
            }
        }
    }
}
