package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.report.Plot;
import io.dubbomesh.benchmark.report.Report;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A comparison in tables and plots: medians over the rounds, with the lowest and the highest. */
record Summary(Comparison comparison) {
    private static final String UNKNOWN = "-";
    private static final double US_PER_MS = 1e3;

    void addTo(Report report) {
        report.add(figures());
        report.add(programs());
        report.add(throughput());
        report.add(cpu());
        comparison.points().stream()
                .filter(point -> !firstRound(point).load().curve().isEmpty())
                .forEach(point -> report.add(latency(point)));
    }

    private interface Visitor {
        void visit(Point point, Side side, List<Round> rounds);
    }

    private void forEach(Visitor visitor) {
        for (Point point : comparison.points()) {
            for (Side side : comparison.sides()) {
                visitor.visit(point, side, comparison.rounds(side.name(), point));
            }
        }
    }

    private Round firstRound(Point point) {
        return comparison.rounds(comparison.sides().get(0).name(), point).get(0);
    }

    private Table figures() {
        boolean limited = comparison.delayMs() > 0;
        Table table = new Table(
                comparison.title() + ": median (lowest-highest) of the rounds",
                "load | side | requests/s | " + (limited ? "of the limit" : "of the first side")
                        + " | p50 ms | p90 ms | p99 ms | CPU us/request | errors | disturbed rounds");
        forEach((point, side, rounds) -> {
            Spread qps = qps(rounds);
            String first = comparison.sides().get(0).name();
            double whole = limited
                    ? comparison.limit(point)
                    : qps(comparison.rounds(first, point)).median();
            table.add(
                    point.label(),
                    side.name(),
                    qps,
                    qps.median() / whole,
                    latencyMs(rounds, LoadResult::p50Us),
                    latencyMs(rounds, LoadResult::p90Us),
                    latencyMs(rounds, LoadResult::p99Us),
                    Spread.of(rounds, Round::cpuUsPerRequest),
                    rounds.stream().mapToLong(round -> round.load().errors()).sum(),
                    rounds.stream().filter(Round::isDisturbed).count());
        });
        return table;
    }

    private static Spread qps(List<Round> rounds) {
        return Spread.of(rounds, round -> round.load().qps());
    }

    private static Object latencyMs(List<Round> rounds, ToLongFunction<LoadResult> us) {
        Spread spread = Spread.of(rounds, round -> us.applyAsLong(round.load()) / US_PER_MS);
        return spread.min() < 0 ? UNKNOWN : spread;
    }

    private Table programs() {
        Table table = new Table(
                comparison.title() + ": its programs",
                "load | side | program | CPU us/request | user us | system us | RSS MiB | PSS MiB | "
                        + "allocated B/request | collections | pauses ms");
        forEach((point, side, rounds) -> {
            for (int i = 0; i < side.allPrograms().size(); i++) {
                int at = i;
                boolean jvm = side.allPrograms().get(i).isJvm();
                table.add(
                        point.label(),
                        side.name(),
                        side.allPrograms().get(i).name(),
                        cpuUs(rounds, at),
                        perRequest(rounds, at, usage -> usage.cpu().userUs()).median(),
                        perRequest(rounds, at, usage -> usage.cpu().systemUs()).median(),
                        median(rounds, at, Usage::rssMib),
                        median(rounds, at, Usage::pssMib),
                        jvm ? perRequest(rounds, at, Usage::allocatedBytes).median() : UNKNOWN,
                        jvm ? median(rounds, at, usage -> usage.stops().collections()) : UNKNOWN,
                        jvm ? median(rounds, at, usage -> usage.stops().pauseMs()) : UNKNOWN);
            }
        });
        return table;
    }

    private static Spread cpuUs(List<Round> rounds, int program) {
        return perRequest(rounds, program, usage -> usage.cpu().totalUs());
    }

    private static double median(List<Round> rounds, int program, ToDoubleFunction<Usage> figure) {
        return Spread.of(rounds, round -> figure.applyAsDouble(round.usages().get(program)))
                .median();
    }

    private static Spread perRequest(List<Round> rounds, int program, ToDoubleFunction<Usage> figure) {
        return Spread.of(
                rounds,
                round -> round.perRequest(figure.applyAsDouble(round.usages().get(program))));
    }

    private Plot throughput() {
        Map<String, Spread> ranges = new LinkedHashMap<>();
        forEach((point, side, rounds) -> ranges.put(point.label() + ": " + side.name(), qps(rounds)));
        return Plot.ranges(comparison.title() + ": requests per second", "requests/s", ranges);
    }

    private Plot cpu() {
        List<String> bars = new ArrayList<>();
        Map<String, List<Double>> parts = new LinkedHashMap<>();
        forEach((point, side, rounds) -> {
            for (int i = 0; i < side.programs().size(); i++) {
                String program = side.programs().get(i).name();
                List<Double> values = parts.computeIfAbsent(program, name -> new ArrayList<>());
                // A program that an earlier bar does not have takes no part of it.
                while (values.size() < bars.size()) {
                    values.add(0.0);
                }
                values.add(cpuUs(rounds, i).median());
            }
            bars.add(point.label() + ": " + side.name());
        });
        parts.values().forEach(values -> {
            while (values.size() < bars.size()) {
                values.add(0.0);
            }
        });
        return Plot.stackedBars(comparison.title() + ": CPU per request, by program", "us", bars, parts);
    }

    private Plot latency(Point point) {
        Map<String, List<List<Double>>> lines = new LinkedHashMap<>();
        for (Side side : comparison.sides()) {
            List<Round> rounds = comparison.rounds(side.name(), point);
            List<Double> percentiles = List.copyOf(rounds.get(0).load().curve().keySet());
            lines.put(
                    side.name(),
                    List.of(
                            percentiles.stream().map(Plot::nines).toList(),
                            percentiles.stream()
                                    .map(percentile -> Spread.of(
                                                    rounds,
                                                    round ->
                                                            round.load().curve().get(percentile) / US_PER_MS)
                                            .median())
                                    .toList()));
        }
        return Plot.percentiles(comparison.title() + ", " + point.label() + ": latency by percentile", "ms", lines);
    }
}
