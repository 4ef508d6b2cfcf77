package io.dubbomesh.benchmark.layout;

import io.dubbomesh.benchmark.load.Comparison;
import io.dubbomesh.benchmark.load.LoadResult;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.Machine;
import io.dubbomesh.benchmark.report.Report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Loads running compose projects of the 2018 layout in turn, as the benchmark did:
 * {@code SECONDS ROUNDS WARMUP WRK_IMAGE NAME=PROJECT...}. The first is ours, which is compared with the second.
 * {@code scripts/bench-contest.sh} starts them and this program. Its status is 1 if ours had an error in a round.
 */
public final class ContestLayout {
    private static final List<Integer> CONNECTIONS = List.of(128, 256, 512);
    private static final int SLICE_SECONDS = 10;
    private static final int PAUSE_MS = 5000;

    private final int seconds;
    private final int rounds;
    private final int warmupSeconds;
    private final String wrkImage;
    private final Path root = Path.of(System.getProperty("bench.root"));
    private final String time = Report.timeOfNow();
    private final List<LayoutSide> sides = new ArrayList<>();
    private final List<LayoutSide.Round> measured = new ArrayList<>();
    private final Report report;

    private ContestLayout(String[] args) throws IOException, InterruptedException {
        seconds = Integer.parseInt(args[0]);
        rounds = Integer.parseInt(args[1]);
        warmupSeconds = Integer.parseInt(args[2]);
        wrkImage = args[3];
        for (String side : List.of(args).subList(4, args.length)) {
            sides.add(LayoutSide.parse(side));
        }
        Machine machine = Machine.of(root);
        String headline = time + ", " + machine + "; " + rounds + " rounds of " + seconds + " s";
        report = new Report(
                "contest2018, " + time, headline, Map.of("time", time, "machine", machine, "seconds", seconds));
    }

    public static void main(String[] args) throws Exception {
        try {
            System.exit(new ContestLayout(args).run() ? 0 : 1);
        } catch (BenchException e) {
            System.err.println("bench-contest.sh: " + e.getMessage());
            System.exit(1);
        }
    }

    private boolean run() throws IOException, InterruptedException {
        for (LayoutSide side : sides) {
            warmUp(side);
        }
        // A side that idled while the other was warmed up is slow at first: round 0 does not count.
        for (int number = 0; number <= rounds; number++) {
            List<LayoutSide> order = new ArrayList<>(sides);
            if (number % 2 == 0) {
                Collections.reverse(order);
            }
            for (int connections : CONNECTIONS) {
                for (LayoutSide side : order) {
                    Thread.sleep(PAUSE_MS);
                    LayoutSide.Round round = measure(number, side, connections, number == 0 ? SLICE_SECONDS : seconds);
                    if (round.load().requests() == 0) {
                        throw new BenchException(
                                side.name() + ", " + connections + " connections: no request was answered");
                    }
                    if (number > 0) {
                        measured.add(round);
                    }
                    System.out.println(line(round));
                }
            }
        }
        new ContestReport(sides, measured).addTo(report);
        System.out.println();
        System.out.print(report.text());
        Path name = Files.createDirectories(root.resolve("build/bench")).resolve(time + "-contest2018");
        Files.writeString(Path.of(name + ".txt"), report.text());
        report.writeJson(Path.of(name + ".json"));
        System.out.println("report: " + name + ".txt, .json");
        return measured.stream()
                .filter(round -> round.side() == sides.get(0))
                .allMatch(round -> round.load().errors() == 0);
    }

    /**
     * The first half without quotas, in which the JVMs compile their code; with a seventh of a processor that would
     * take half an hour. The other half with quotas, until requests/s and CPU per request of the last slices are within
     * five per cent.
     */
    private void warmUp(LayoutSide side) throws IOException, InterruptedException {
        for (Container container : side.containers()) {
            container.unlimit();
        }
        int most = Collections.max(CONNECTIONS);
        int warmed = 0;
        for (; warmed < warmupSeconds / 2; warmed += SLICE_SECONDS) {
            // Cold JVMs would only time out under the heaviest load.
            int connections = warmed == 0 ? Collections.min(CONNECTIONS) : most;
            System.out.println("no quota  " + line(measure(0, side, connections, SLICE_SECONDS)));
        }
        for (Container container : side.containers()) {
            container.limit();
        }
        List<Double> qps = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        for (; warmed < warmupSeconds; warmed += SLICE_SECONDS) {
            LayoutSide.Round slice = measure(0, side, most, SLICE_SECONDS);
            System.out.println(line(slice));
            if (slice.load().requests() == 0) {
                continue;
            }
            qps.add(slice.load().qps());
            cpu.add(slice.cpuUsPerRequest());
            if (Comparison.isSteady(qps) && Comparison.isSteady(cpu)) {
                return;
            }
        }
        String note = side.name() + ": not steady after " + warmupSeconds + " s of warm-up";
        report.state(note);
        System.out.println(note);
    }

    private LayoutSide.Round measure(int number, LayoutSide side, int connections, int duration)
            throws IOException, InterruptedException {
        return side.measure(number, connections, duration, wrkImage, root.resolve("testing/benchmark/wrk"));
    }

    private static String line(LayoutSide.Round round) {
        LoadResult load = round.load();
        StringBuilder cores = new StringBuilder();
        for (int i = 0; i < round.uses().size(); i++) {
            String name = round.side().containers().get(i).name().replace("provider-", "");
            cores.append(String.format(Locale.ROOT, "  %s %.2f", name, round.cores(i)));
        }
        return String.format(
                Locale.ROOT,
                "%s  %-5s  %d connections: %,.0f/s, %d errors, p50 %.0f ms, p99 %.0f ms; cores%s; outside %.0f %%",
                round.number() == 0 ? "warm-up" : "round " + round.number(),
                round.side().name(),
                round.connections(),
                load.qps(),
                load.errors(),
                load.p50Us() / 1e3,
                load.p99Us() / 1e3,
                cores,
                round.outsidePercent());
    }
}
