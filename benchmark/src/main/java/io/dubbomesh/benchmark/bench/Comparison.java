package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Several sides under the same loads: each is warmed up, then measured in turn with the others, and its answers are checked before and after. */
final class Comparison {
    private static final int SLICE_SECONDS = 3;
    private static final int STEADY_SLICES = 3;
    private static final int MAX_SLICES = 10;
    private static final double STEADY_RATIO = 1.05;
    private static final int CLOSING_CHECK_SECONDS = 3;
    private static final int MIN_CHECK_SECONDS = 2;
    private static final double US_PER_MS = 1e3;

    private final String title;
    private final int delayMs;
    private final List<Side> sides;
    private final List<Point> points;
    private final Plan plan;
    private final Programs programs;
    private final Wrk wrk;
    private final PrintStream out;

    private final List<Round> rounds = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private long checked;
    private long wrong;

    /** @param delayMs of a call at the provider, which limits a closed loop; 0 for none */
    Comparison(
            String title,
            int delayMs,
            List<Side> sides,
            List<Point> points,
            Plan plan,
            Programs programs,
            PrintStream out) {
        this.title = title;
        this.delayMs = delayMs;
        this.sides = sides;
        this.points = points;
        this.plan = plan;
        this.programs = programs;
        this.out = out;
        wrk = new Wrk(programs);
    }

    void run() throws IOException, InterruptedException, BenchException {
        out.println(title);
        for (Side side : sides) {
            warmUp(side);
        }
        for (int number = 1; number <= plan.rounds(); number++) {
            List<Side> order = new ArrayList<>(sides);
            if (number % 2 == 0) {
                Collections.reverse(order);
            }
            for (Point point : points) {
                for (Side side : order) {
                    Round round = measure(number, side, point);
                    rounds.add(round);
                    out.println(line(round));
                }
            }
        }
        for (Side side : sides) {
            for (Point point : shapes()) {
                check(side, point, Math.min(CLOSING_CHECK_SECONDS, plan.warmupSeconds()));
            }
        }
    }

    /** The last point of each kind of request. */
    private List<Point> shapes() {
        Map<Map<String, String>, Point> last = new LinkedHashMap<>();
        for (Point point : points) {
            last.put(point.environment(), point);
        }
        return List.copyOf(last.values());
    }

    private void warmUp(Side side) throws IOException, InterruptedException, BenchException {
        List<Point> shapes = shapes();
        out.printf("  %s: warm-up, %d s, then until steady%n", side.name(), plan.warmupSeconds());
        for (Point point : shapes) {
            check(side, point, Math.max(MIN_CHECK_SECONDS, plan.warmupSeconds() / shapes.size()));
            awaitSteadiness(side, point);
        }
    }

    private void check(Side side, Point point, int seconds) throws IOException, InterruptedException, BenchException {
        LoadResult result = wrk.check(side, point, seconds);
        if (result.checked() == 0) {
            throw new BenchException(side.name() + ", " + point.label() + ": no answer's value could be compared");
        }
        checked += result.checked();
        wrong += result.wrong();
    }

    private void awaitSteadiness(Side side, Point point) throws IOException, InterruptedException, BenchException {
        List<Double> slices = new ArrayList<>();
        while (slices.size() < MAX_SLICES) {
            Round slice = measure(0, side, point, Math.min(SLICE_SECONDS, plan.seconds()));
            slices.add(slice.cpuUsPerRequest());
            if (isSteady(slices)) {
                return;
            }
        }
        StringBuilder figures = new StringBuilder();
        slices.forEach(us -> figures.append(String.format(Locale.ROOT, " %.1f", us)));
        note(side.name() + ", " + point.label() + ": not steady, the warm-up's slices had these CPU us per request:"
                + figures);
    }

    /** Whether the last values lie within five per cent. */
    static boolean isSteady(List<Double> values) {
        if (values.size() < STEADY_SLICES) {
            return false;
        }
        Spread last = Spread.of(values.subList(values.size() - STEADY_SLICES, values.size()));
        return last.max() <= last.min() * STEADY_RATIO;
    }

    private void note(String text) {
        notes.add(text);
        out.println("  " + text);
    }

    private Round measure(int number, Side side, Point point) throws IOException, InterruptedException, BenchException {
        return measure(number, side, point, plan.seconds());
    }

    private Round measure(int number, Side side, Point point, int seconds)
            throws IOException, InterruptedException, BenchException {
        List<Usage.Start> starts = new ArrayList<>();
        for (Program program : side.allPrograms()) {
            starts.add(Usage.Start.of(program));
        }
        ForeignLoad foreign = ForeignLoad.start(programs);
        long accepted = ProcStat.acceptedConnections();
        LoadResult load = wrk.load(side, point, seconds);
        accepted = ProcStat.acceptedConnections() - accepted;
        int foreignPercent = foreign.percent();
        programs.requireAlive();
        if (load.requests() == 0) {
            throw new BenchException(side.name() + ", " + point.label() + ": not one request was answered");
        }
        List<Usage> usages = new ArrayList<>();
        for (Usage.Start start : starts) {
            usages.add(start.end());
        }
        return new Round(
                number, point, side.name(), load, usages, side.programs().size(), foreignPercent, accepted);
    }

    private String line(Round round) {
        LoadResult load = round.load();
        StringBuilder line = new StringBuilder();
        line.append("  round %d/%d  %s  %s: "
                .formatted(round.number(), plan.rounds(), round.point().label(), round.side()));
        line.append(Table.text(load.qps())).append("/s, ");
        if (load.p50Us() >= 0) {
            line.append("p50 ").append(Table.text(load.p50Us() / US_PER_MS)).append(" ms, ");
            line.append("p99 ").append(Table.text(load.p99Us() / US_PER_MS)).append(" ms, ");
        }
        line.append(Table.text(round.cpuUsPerRequest())).append(" us of CPU per request, ");
        line.append(load.errors()).append(" errors");
        if (round.isDisturbed()) {
            line.append("; other programs used ").append(round.foreignPercent());
            line.append(" % of the machine's CPU: not fit to be compared or published");
        }
        return line.toString();
    }

    String title() {
        return title;
    }

    int delayMs() {
        return delayMs;
    }

    List<Side> sides() {
        return sides;
    }

    List<Point> points() {
        return points;
    }

    List<Round> rounds() {
        return rounds;
    }

    /** The rounds of one side at one point. */
    List<Round> rounds(Side side, Point point) {
        return rounds.stream()
                .filter(round ->
                        round.side().equals(side.name()) && round.point().equals(point))
                .toList();
    }

    List<String> notes() {
        return notes;
    }

    long checked() {
        return checked;
    }

    long wrong() {
        return wrong;
    }
}
