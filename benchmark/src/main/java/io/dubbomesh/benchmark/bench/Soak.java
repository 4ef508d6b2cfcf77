package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Load for minutes, and what it does to the agents' memory. */
final class Soak implements Scenario {
    private static final int SETTLED_MINUTE = 2;
    private static final double MAX_GROWTH = 1.05;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int CLOSING_CHECK_SECONDS = 3;
    private static final double KIB_PER_MIB = 1024;

    /** The last sample is taken while the load still runs. */
    private static final int BEFORE_THE_END_SECONDS = 2;

    @Override
    public Map<String, String> defaults() {
        return Map.of("minutes", "10", "warmup", "30");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        Options options = session.options();
        if (options.minutes() <= SETTLED_MINUTE) {
            throw new BenchException("--minutes: " + options.minutes()
                    + " (expected: at least 3, since memory is compared with that after minute 2)");
        }
        Side mesh = session.startRoomyMesh(0);
        Point point = session.mostConnections();
        Wrk wrk = new Wrk(session.programs());
        session.out().printf("warm-up, %d s%n", options.warmupSeconds());
        session.report().addCheck("before", wrk.check(mesh, point, options.warmupSeconds()));
        Map<Program, List<Long>> samples = load(session, wrk, mesh, point);
        session.report().addCheck("after", wrk.check(mesh, point, CLOSING_CHECK_SECONDS));
        judge(session.report(), samples);
    }

    /** The resident KiB of each agent after each minute. */
    private static Map<Program, List<Long>> load(Session session, Wrk wrk, Side mesh, Point point)
            throws IOException, InterruptedException, BenchException {
        int seconds = session.options().minutes() * SECONDS_PER_MINUTE;
        Map<Program, List<Long>> samples = new LinkedHashMap<>();
        mesh.programs().forEach(agent -> samples.put(agent, new ArrayList<>()));
        Program load = wrk.start(mesh, point, seconds);
        for (int minute = 1; minute <= session.options().minutes(); minute++) {
            boolean last = minute == session.options().minutes();
            TimeUnit.SECONDS.sleep(last ? SECONDS_PER_MINUTE - BEFORE_THE_END_SECONDS : SECONDS_PER_MINUTE);
            session.programs().requireAlive();
            StringBuilder line = new StringBuilder("minute " + minute + ":");
            for (Program agent : mesh.programs()) {
                long kib = agent.rssKib();
                samples.get(agent).add(kib);
                line.append("  ")
                        .append(agent.name())
                        .append(' ')
                        .append(kib / 1024)
                        .append(" MiB");
            }
            session.out().println(line);
        }
        LoadResult result = wrk.finish(load, seconds);
        session.report().failOnErrors("soak", result);
        Table table =
                new Table("soak: the load", "connections", "requests", "requests/s", "p50 ms", "p99 ms", "errors");
        table.add(
                point.connections(),
                result.requests(),
                result.qps(),
                result.p50Us() / 1e3,
                result.p99Us() / 1e3,
                result.errors());
        session.report().add(table);
        return samples;
    }

    private static void judge(Report report, Map<Program, List<Long>> samples) {
        Table table = new Table("soak: resident memory", "agent", "minute", "MiB", "of minute " + SETTLED_MINUTE);
        LineChart chart = LineChart.of("soak: resident memory", "MiB", "minute");
        samples.forEach((agent, kib) -> {
            double settled = kib.get(SETTLED_MINUTE - 1);
            List<double[]> line = new ArrayList<>();
            for (int i = 0; i < kib.size(); i++) {
                table.add(agent.name(), i + 1, kib.get(i) / KIB_PER_MIB, kib.get(i) / settled);
                line.add(new double[] {i + 1, kib.get(i) / KIB_PER_MIB});
            }
            chart.line(agent.name(), line);
            double growth = kib.get(kib.size() - 1) / settled;
            if (growth > MAX_GROWTH) {
                report.fail("%s: memory grew to %.3f of that of minute %d (expected: at most %.2f)"
                        .formatted(agent.name(), growth, SETTLED_MINUTE, MAX_GROWTH));
            }
        });
        report.add(table);
        report.add(chart);
    }
}
