package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Harness;
import io.dubbomesh.benchmark.load.LoadResult;
import io.dubbomesh.benchmark.load.Point;
import io.dubbomesh.benchmark.load.Side;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.report.Plot;
import io.dubbomesh.benchmark.report.Report;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The agents' memory under load for minutes. */
final class Soak {
    private static final int SETTLED_MINUTE = 2;
    private static final double MAX_GROWTH = 1.05;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int CLOSING_CHECK_SECONDS = 3;
    private static final double KIB_PER_MIB = 1024;

    /** The last sample is taken while the load still runs. */
    private static final int BEFORE_THE_END_SECONDS = 2;

    private Soak() {}

    static Scenario scenario() {
        return new Scenario(Map.of("--minutes", "10", "--warmup", "30"), Soak::run);
    }

    private static void run(Session session) throws IOException, InterruptedException {
        Options options = session.options();
        if (options.minutes <= SETTLED_MINUTE) {
            throw new BenchException("--minutes: " + options.minutes
                    + " (expected: at least 3, since memory is compared with that after minute 2)");
        }
        Harness harness = session.harness();
        Side mesh = session.startRoomyMesh(0);
        Point point = Point.of(options.mostConnections());
        int warmup = options.plan().warmupSeconds();
        harness.out().printf("warm-up, %d s%n", warmup);
        harness.check(mesh, point, warmup);
        Map<String, List<Double>> mib = load(harness, mesh, point, options.minutes);
        harness.check(mesh, point, CLOSING_CHECK_SECONDS);
        judge(harness.report(), mib);
    }

    /** Returns the resident memory of each agent after each minute. */
    private static Map<String, List<Double>> load(Harness harness, Side mesh, Point point, int minutes)
            throws IOException, InterruptedException {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        Program load = harness.wrk().start(mesh, point, minutes * SECONDS_PER_MINUTE);
        for (int minute = 1; minute <= minutes; minute++) {
            TimeUnit.SECONDS.sleep(SECONDS_PER_MINUTE - (minute == minutes ? BEFORE_THE_END_SECONDS : 0));
            harness.programs().requireAlive();
            for (Program agent : mesh.programs()) {
                double mib = agent.rssKib() / KIB_PER_MIB;
                samples.computeIfAbsent(agent.name(), name -> new ArrayList<>()).add(mib);
                harness.out().printf("minute %d: %s %.0f MiB%n", minute, agent.name(), mib);
            }
        }
        LoadResult result = harness.wrk().finish(load, minutes * SECONDS_PER_MINUTE);
        result.failOnErrors(harness.report(), "soak");
        Table table = new Table("soak: the load", "connections | requests | requests/s | p50 ms | p99 ms | errors");
        table.add(
                point.connections(),
                result.requests(),
                result.qps(),
                result.p50Us() / 1e3,
                result.p99Us() / 1e3,
                result.errors());
        harness.report().add(table);
        return samples;
    }

    private static void judge(Report report, Map<String, List<Double>> samples) {
        Table table = new Table("soak: resident memory", "agent | minute | MiB | of minute " + SETTLED_MINUTE);
        Map<String, List<List<Double>>> lines = new LinkedHashMap<>();
        samples.forEach((agent, mib) -> {
            double settled = mib.get(SETTLED_MINUTE - 1);
            List<Double> minutes = new ArrayList<>();
            for (int i = 0; i < mib.size(); i++) {
                minutes.add(i + 1.0);
                table.add(agent, i + 1, mib.get(i), mib.get(i) / settled);
            }
            lines.put(agent, List.of(minutes, mib));
            double growth = mib.get(mib.size() - 1) / settled;
            if (growth > MAX_GROWTH) {
                report.fail("%s: memory grew to %.3f of that of minute %d (expected: at most %.2f)"
                        .formatted(agent, growth, SETTLED_MINUTE, MAX_GROWTH));
            }
        });
        report.add(table);
        report.add(Plot.lines("soak: resident memory", "MiB", "minute", lines));
    }
}
