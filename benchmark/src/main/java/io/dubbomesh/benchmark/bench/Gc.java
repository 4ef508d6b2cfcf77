package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** How often and how long a small heap is collected under a steady load. */
final class Gc implements Scenario {
    private static final int DELAY_MS = 50;
    private static final int SECONDS_PER_MINUTE = 60;

    @Override
    public Map<String, String> defaults() {
        return Map.of("xmx", "64m", "minutes", "5");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        Options options = session.options();
        Side mesh = session.startRoomyMesh(DELAY_MS);
        Plan plan = new Plan(options.warmupSeconds(), 1, options.minutes() * SECONDS_PER_MINUTE);
        Comparison comparison =
                session.compare("gc", DELAY_MS, List.of(mesh), List.of(session.mostConnections()), plan);
        session.report().add(stops(comparison.rounds().get(0)));
    }

    private static Table stops(Round round) {
        Table table = new Table(
                "gc: " + options(round),
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

    private static String options(Round round) {
        return "%,d requests in %,d s"
                .formatted(round.load().requests(), round.load().durationUs() / 1_000_000);
    }
}
