package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Comparison;
import io.dubbomesh.benchmark.load.Plan;
import io.dubbomesh.benchmark.load.Point;
import io.dubbomesh.benchmark.load.Round;
import io.dubbomesh.benchmark.load.Side;
import io.dubbomesh.benchmark.load.Usage;
import io.dubbomesh.benchmark.process.GcLog;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** How often and how long a small heap is collected under a steady load. */
final class Gc {
    private static final int DELAY_MS = 50;
    private static final int SECONDS_PER_MINUTE = 60;

    private Gc() {}

    static Scenario scenario() {
        return new Scenario(Map.of("--xmx", "64m", "--minutes", "5"), Gc::run);
    }

    private static void run(Session session) throws IOException, InterruptedException {
        Options options = session.options();
        Side mesh = session.startRoomyMesh(DELAY_MS);
        Plan plan = new Plan(options.plan().warmupSeconds(), 1, options.minutes() * SECONDS_PER_MINUTE);
        List<Point> points = List.of(Point.of(options.mostConnections()));
        Comparison comparison = session.compare("gc", DELAY_MS, List.of(mesh), points, plan);
        session.harness().report().add(stops(comparison.rounds().get(0)));
    }

    private static Table stops(Round round) {
        Table table = new Table(
                "gc: %,d requests in %,d s"
                        .formatted(round.load().requests(), round.load().durationUs() / 1_000_000),
                "agent",
                "collections",
                "pauses ms",
                "longest pause ms",
                "safepoints",
                "safepoints ms",
                "allocated B/request");
        for (Usage usage : round.usages().subList(0, round.own())) {
            GcLog.Stops stops = usage.stops();
            table.add(
                    usage.program(),
                    stops.collections(),
                    stops.pauseMs(),
                    stops.longestPauseMs(),
                    stops.safepoints(),
                    stops.safepointMs(),
                    (double) usage.allocatedBytes() / round.load().requests());
        }
        return table;
    }
}
