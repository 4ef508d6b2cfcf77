package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.CpuTime;
import io.dubbomesh.benchmark.process.ProcStat;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Several sides under the same loads: each is warmed up, then measured in turn with the others, and its answers are
 * checked before and after.
 *
 * @param delayMs of a call at the provider, which limits a closed loop; 0 for none
 * @param rounds  filled by {@link #run}
 */
public record Comparison(
        String title, int delayMs, List<Side> sides, List<Point> points, Plan plan, List<Round> rounds) {
    private static final int SLICE_SECONDS = 3;
    private static final int STEADY_SLICES = 3;
    private static final int MAX_SLICES = 10;
    private static final double STEADY_RATIO = 1.05;
    private static final int CLOSING_CHECK_SECONDS = 3;
    private static final int MIN_CHECK_SECONDS = 2;
    private static final double US_PER_MS = 1e3;
    private static final double MS_PER_SECOND = 1e3;

    public Comparison(String title, int delayMs, List<Side> sides, List<Point> points, Plan plan) {
        this(title, delayMs, sides, points, plan, new ArrayList<>());
    }

    /** Adds its notes, checks, rounds, tables and plots to the report. */
    public void run(Harness harness) throws IOException, InterruptedException {
        harness.out().println(title);
        for (Side side : sides) {
            harness.out().printf("  %s: warm-up, %d s, then until steady%n", side.name(), plan.warmupSeconds());
            for (Point point : shapes()) {
                int seconds = Math.max(MIN_CHECK_SECONDS, plan.warmupSeconds() / shapes().size());
                harness.check(side, point, seconds);
                awaitSteadiness(harness, side, point);
            }
        }
        for (int number = 1; number <= plan.rounds(); number++) {
            List<Side> order = new ArrayList<>(sides);
            if (number % 2 == 0) {
                Collections.reverse(order);
            }
            for (Point point : points) {
                for (Side side : order) {
                    Round round = measure(harness, number, side, point, plan.seconds());
                    rounds.add(round);
                    harness.report().addRound(Map.of("comparison", title, "delayMs", delayMs, "round", round));
                    String name = side.name() + ", " + point.label() + ", round " + number;
                    round.load().failOnErrors(harness.report(), name);
                    harness.out().println(line(round));
                }
            }
        }
        for (Side side : sides) {
            for (Point point : shapes()) {
                harness.check(side, point, Math.min(CLOSING_CHECK_SECONDS, plan.warmupSeconds()));
            }
        }
        new Summary(this).addTo(harness.report());
    }

    /** The last point of each kind of request. */
    private Collection<Point> shapes() {
        Map<Map<String, String>, Point> last = new LinkedHashMap<>();
        points.forEach(point -> last.put(point.environment(), point));
        return last.values();
    }

    private void awaitSteadiness(Harness harness, Side side, Point point) throws IOException, InterruptedException {
        List<Double> slices = new ArrayList<>();
        while (!isSteady(slices)) {
            if (slices.size() == MAX_SLICES) {
                StringBuilder note = new StringBuilder(side.name() + ", " + point.label()
                        + ": not steady, CPU us per request of the warm-up's slices:");
                slices.forEach(us -> note.append(String.format(Locale.ROOT, " %.1f", us)));
                harness.state(note.toString());
                return;
            }
            slices.add(measure(harness, 0, side, point, Math.min(SLICE_SECONDS, plan.seconds()))
                    .cpuUsPerRequest());
        }
    }

    /** Whether the last values are within five per cent of each other. */
    public static boolean isSteady(List<Double> values) {
        if (values.size() < STEADY_SLICES) {
            return false;
        }
        Spread last = Spread.of(values.subList(values.size() - STEADY_SLICES, values.size()));
        return last.max() <= last.min() * STEADY_RATIO;
    }

    private static Round measure(Harness harness, int number, Side side, Point point, int seconds)
            throws IOException, InterruptedException {
        List<Usage.Start> starts = new ArrayList<>();
        for (Program program : side.allPrograms()) {
            starts.add(Usage.Start.of(program));
        }
        ProcStat.Machine machine = ProcStat.machine();
        CpuTime ours = harness.programs().cpu();
        long accepted = ProcStat.acceptedConnections();
        LoadResult load = harness.wrk().load(side, point, seconds);
        accepted = ProcStat.acceptedConnections() - accepted;
        ProcStat.Machine end = ProcStat.machine();
        long oursUs = harness.programs().cpu().minus(ours).totalUs();
        harness.programs().requireAlive();
        if (load.requests() == 0) {
            throw new BenchException(side.name() + ", " + point.label() + ": no request was answered");
        }
        List<Usage> usages = new ArrayList<>();
        for (Usage.Start start : starts) {
            usages.add(start.end());
        }
        int own = side.programs().size();
        int foreignPercent = (int) Math.max(0, Math.round(end.foreignPercent(machine, oursUs)));
        return new Round(number, point, side.name(), load, usages, own, foreignPercent, accepted);
    }

    private String line(Round round) {
        LoadResult load = round.load();
        String latency = load.p50Us() < 0
                ? ""
                : "p50 %s ms, p99 %s ms, "
                        .formatted(Table.text(load.p50Us() / US_PER_MS), Table.text(load.p99Us() / US_PER_MS));
        String disturbed = round.isDisturbed()
                ? "; other programs used " + round.foreignPercent()
                        + " % of the machine's CPU: not fit to be compared or published"
                : "";
        return "  round %d/%d  %s  %s: %s/s, %s%s us of CPU per request, %d errors%s"
                .formatted(
                        round.number(),
                        plan.rounds(),
                        round.point().label(),
                        round.side(),
                        Table.text(load.qps()),
                        latency,
                        Table.text(round.cpuUsPerRequest()),
                        load.errors(),
                        disturbed);
    }

    /** The most requests per second that a closed loop can have. */
    double limit(Point point) {
        return point.connections() * MS_PER_SECOND / delayMs;
    }

    /** Whether sides of these names take part. */
    public boolean hasSides(String... names) {
        return sides.stream().map(Side::name).toList().containsAll(List.of(names));
    }

    /** The rounds of one side at one point. */
    public List<Round> rounds(String side, Point point) {
        return rounds.stream()
                .filter(round -> round.side().equals(side) && round.point().equals(point))
                .toList();
    }
}
