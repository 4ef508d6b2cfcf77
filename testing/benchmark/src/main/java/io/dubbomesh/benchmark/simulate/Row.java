package io.dubbomesh.benchmark.simulate;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.dubbomesh.benchmark.report.MedianInterval;
import io.dubbomesh.benchmark.report.Table;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.Tally;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What a policy did in a phase of a scenario, over all seeds.
 *
 * @param success     the part of the calls that succeeded
 * @param successLow  the lowest and
 * @param successHigh the highest of the interval that has the median over the seeds with 95 %; null for few seeds
 * @param goodput     calls that succeeded, per second
 * @param p99LowMs    the interval of the median of p99 over the seeds; null for few
 * @param shareError  how far the endpoint that is furthest from its share is off, in parts of that; null where shares
 *     are not by weight
 * @param mostMoved   the largest part of the links that a change moved
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Row(
        String strategy,
        String phase,
        double success,
        Double successLow,
        Double successHigh,
        double goodput,
        long errors,
        double p50Ms,
        double p99Ms,
        Double p99LowMs,
        Double p99HighMs,
        double p999Ms,
        Double shareError,
        long opened,
        long closed,
        double mostMoved) {

    /** Runs a policy with the seeds 1, 2, 3, ...; each has processors of its own, if there are some. */
    static List<Row> of(Policy policy, Scenario scenario, int seeds) {
        List<List<Phase>> runs = IntStream.rangeClosed(1, seeds)
                .parallel()
                .mapToObj(seed -> scenario.run(policy, seed))
                .toList();
        Map<String, List<Phase>> phases = new LinkedHashMap<>();
        for (List<Phase> run : runs) {
            for (Phase phase : run) {
                phases.computeIfAbsent(phase.name(), name -> new ArrayList<>()).add(phase);
            }
        }
        return phases.entrySet().stream()
                .map(phase -> of(policy.name(), phase.getKey(), phase.getValue()))
                .toList();
    }

    private static Row of(String strategy, String phase, List<Phase> runs) {
        Tally all = new Tally();
        runs.forEach(run -> all.add(run.tally()));
        MedianInterval success = MedianInterval.of(
                runs.stream().map(run -> run.tally().success()).toList());
        MedianInterval p99Ms = MedianInterval.of(
                runs.stream().map(run -> run.tally().latencyMs(99)).toList());
        double shareError = runs.stream().mapToDouble(Phase::shareError).max().orElseThrow();
        return new Row(
                strategy,
                phase,
                all.success(),
                success.low(),
                success.high(),
                all.goodput(),
                all.errors(),
                all.latencyMs(50),
                all.latencyMs(99),
                p99Ms.low(),
                p99Ms.high(),
                all.latencyMs(99.9),
                Double.isNaN(shareError) ? null : shareError,
                runs.stream().mapToLong(run -> run.links().opened()).sum(),
                runs.stream().mapToLong(run -> run.links().closed()).sum(),
                runs.stream().mapToDouble(run -> run.links().mostMoved()).max().orElseThrow());
    }

    static Table table(String title, List<Row> rows) {
        Table table = new Table(
                title,
                "strategy | phase | success % | (95 %) | goodput/s | errors | p50 ms | p99 ms | (95 %) | p99.9 ms"
                        + " | share error % | links opened | closed | most moved %");
        for (Row row : rows) {
            table.add(
                    row.strategy,
                    row.phase,
                    percent(row.success),
                    row.successLow == null ? "" : percent(row.successLow) + "-" + percent(row.successHigh),
                    row.goodput,
                    row.errors,
                    row.p50Ms,
                    row.p99Ms,
                    row.p99LowMs == null ? "" : String.format(Locale.ROOT, "%.1f-%.1f", row.p99LowMs, row.p99HighMs),
                    row.p999Ms,
                    rounded(row.shareError),
                    row.opened,
                    row.closed,
                    String.format(Locale.ROOT, "%.2f", 100 * row.mostMoved));
        }
        return table;
    }

    private static String rounded(Double part) {
        return part == null ? "" : String.format(Locale.ROOT, "%.1f", 100 * part);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.3f", 100 * part);
    }
}
