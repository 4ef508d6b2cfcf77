package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Executions;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/** More calls than the provider can serve. It is the bottleneck by its threads, not by the machine's processors. */
public final class OverloadRows {
    private static final double NS_PER_S = 1e9;

    /** Twenty threads of 50 ms: 400 calls a second. */
    private static final String[] PROVIDER = {"-Dthreads=20", "-Ddelay.ms=50"};

    private static final String LIMIT = "-Dlb.limit=20";

    private OverloadRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                                "O1",
                                "2 and 4 times the capacity, open loop, 60 s each",
                                "goodput at least 95 % of capacity; refusals' p99 2 ms; good answers' p99 at most 3 x that at"
                                        + " 0.8",
                                OverloadRows::overload)
                        .within(240),
                Row.of(
                                "O1A",
                                "lb.limit=auto, 40 threads; the provider becomes three times slower, then 4 times its"
                                        + " capacity, open loop",
                                "from 10 s after the change as O1",
                                OverloadRows::slowerWithLearntLimit)
                        .within(180),
                Row.of(
                                "O2",
                                "after 4 times the capacity, 0.8 of it",
                                "after 5 s: p99 as before, 0 errors",
                                OverloadRows::afterOverload)
                        .within(120),
                Row.of(
                        "O3",
                        "0.8 of the capacity with bursts of 100 ms at 3 times that",
                        "0 refused",
                        OverloadRows::bursts),
                Row.of(
                        "O4",
                        "two of four providers refuse everything",
                        "the providers see at most 1.1 attempts a call; 0 wrong",
                        OverloadRows::retries),
                Row.of(
                                "O7",
                                "two services saturate one endpoint; a greedy consumer agent (500 connections) and a modest"
                                        + " one (20/s)",
                                "each service at least 30 % of the capacity; modest: p99 at most 3 x idle, or under 5 %"
                                        + " refused",
                                OverloadRows::fairness)
                        .within(150));
    }

    private static double capacity(Site site, Mesh mesh) throws Exception {
        int seconds = site.seconds(8);
        // So many as the limit, and some that wait in the agents.
        return mesh.call(Workload.closed(32), seconds).good().count() / (double) seconds;
    }

    private static void overload(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).providers(PROVIDER).agents(LIMIT).start();
        double capacity = capacity(site, mesh);
        Calls usual = mesh.call(Workload.rate(0.8 * capacity), site.seconds(16));
        double usualMs = usual.good().percentileMs(99);
        figures.note("capacity %.0f/s, at 0.8 p99 %.1f ms".formatted(capacity, usualMs))
                .none("failed at 0.8", usual.failed().count());
        Calls all = usual;
        for (int times : List.of(2, 4)) {
            int seconds = site.seconds(60);
            Calls calls = mesh.call(Workload.rate(times * capacity), seconds);
            pause(1);
            Calls refused = calls.withStatus(503);
            figures.atLeast(times + "x: % goodput", 100 * calls.good().count() / (seconds * capacity), 95)
                    .atMost(times + "x: p99 of good ms", calls.good().percentileMs(99), 3 * usualMs)
                    .atMost(times + "x: p99 of refusals ms", refused.percentileMs(99), 2)
                    .note(times + "x: " + calls.statuses());
            all = all.and(calls);
        }
        figures.nothingLost(all, mesh.providers());
    }

    private static void slowerWithLearntLimit(Site site, Figures figures) throws Exception {
        // Twice the limit that an agent starts with: it has to be learnt.
        int threads = 40;
        Mesh mesh = Mesh.of(site, 1)
                .providers("-Dthreads=" + threads, "-Ddelay.ms=50")
                .agents("-Dlb.limit=auto")
                .start();
        double slowCapacity = threads / 0.150;
        Load load = mesh.load(Workload.rate(4 * slowCapacity));
        pause(site.seconds(20));
        mesh.provider(0).sendCommand("delay 150");
        pause(10);
        long fromNs = System.nanoTime();
        pause(site.seconds(40));
        long untilNs = System.nanoTime();
        Calls overload = load.stop();
        pause(2);
        Calls usual = mesh.call(Workload.rate(0.8 * slowCapacity), site.seconds(20));
        double usualMs = usual.good().percentileMs(99);
        Calls settled = overload.between(fromNs, untilNs);
        double seconds = (untilNs - fromNs) / NS_PER_S;
        figures.note("capacity %.0f/s, at 0.8 p99 %.1f ms".formatted(slowCapacity, usualMs))
                // A learnt limit costs a refusal now and then (docs/operate/settings.md).
                .atMost("% failed at 0.8", usual.failedPercent(), 0.2)
                .note("at 0.8 " + usual.statuses())
                .atLeast("% goodput", 100 * settled.good().count() / (seconds * slowCapacity), 95)
                .atMost("p99 of good ms", settled.good().percentileMs(99), 3 * usualMs)
                .atMost("p99 of refusals ms", settled.withStatus(503).percentileMs(99), 2)
                .note("at 4 " + settled.statuses())
                .nothingLost(overload.and(usual), mesh.providers());
    }

    private static void afterOverload(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).providers(PROVIDER).agents(LIMIT).start();
        double capacity = capacity(site, mesh);
        Calls before = mesh.call(Workload.rate(0.8 * capacity), site.seconds(12));
        Calls overload = mesh.call(Workload.rate(4 * capacity), 10);
        long endNs = System.nanoTime();
        Load load = mesh.load(Workload.rate(0.8 * capacity));
        pause(5 + site.seconds(12));
        Calls after = load.stop();
        Calls settled = after.from(endNs + (long) (5 * NS_PER_S));
        double beforeMs = before.good().percentileMs(99);
        figures.nothingLost(before.and(overload).and(after), mesh.providers())
                .note("p99 before %.1f ms".formatted(beforeMs))
                .none("failed 5 s after", settled.failed().count())
                .atMost("p99 5 s after, ms", settled.percentileMs(99), 1.3 * beforeMs + 5);
    }

    private static void bursts(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).providers(PROVIDER).agents(LIMIT).start();
        double capacity = capacity(site, mesh);
        Calls calls = mesh.call(Workload.bursts(0.8 * capacity, 3, 100, 2_000), site.seconds(40));
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .note("p99 %.0f ms".formatted(calls.percentileMs(99)));
    }

    private static void retries(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 4).start();
        Load load = mesh.load(Workload.rate(300));
        pause(1);
        Executions before = Executions.of(mesh.providers());
        long fromNs = System.nanoTime();
        mesh.provider(0).sendCommand("refuse");
        mesh.provider(1).sendCommand("refuse");
        pause(site.seconds(16));
        Calls calls = load.stop();
        Executions after = Executions.of(mesh.providers());
        int attempts = after.count() + after.refused() - before.count() - before.refused();
        Calls during = calls.from(fromNs);
        figures.nothingLost(calls, mesh.providers())
                .atMost("attempts a call", attempts / (double) during.count(), 1.1)
                .note("failed %.1f %%".formatted(during.failedPercent()));
    }

    private static void fairness(Site site, Figures figures) throws Exception {
        String other = "com.example.Other";
        Mesh mesh = Mesh.of(site, 1)
                .providers(PROVIDER)
                .agents(LIMIT, "-Ddubbo.services=" + Workload.SERVICE + "," + other)
                .start();
        double capacity = capacity(site, mesh);
        Load first = mesh.load(Workload.closed(64));
        Load second = mesh.load(Workload.closed(64).service(other));
        int seconds = site.seconds(20);
        pause(seconds);
        Calls firstCalls = first.stop();
        Calls secondCalls = second.stop();
        figures.note("capacity %.0f/s".formatted(capacity))
                .atLeast("% of it, first service", 100 * firstCalls.good().count() / seconds / capacity, 30)
                .atLeast("% of it, second service", 100 * secondCalls.good().count() / seconds / capacity, 30);

        Part modest = site.consumerAgent("modest-agent", mesh.registry(), List.of());
        modest.restart();
        Workload few = Workload.rate(20);
        Calls idle = site.call(few, site.seconds(12), modest);
        Load greedy = mesh.load(Workload.closed(500));
        pause(2);
        Calls beside = site.call(few, site.seconds(24), modest);
        Calls greedyCalls = greedy.stop();
        double refusedPercent = 100.0 * beside.withStatus(503).count() / beside.count();
        double idleMs = idle.percentileMs(99);
        double besideMs = beside.good().percentileMs(99);
        figures.nothingLost(firstCalls.and(secondCalls).and(idle).and(beside).and(greedyCalls), mesh.providers())
                .note("modest: idle p99 %.1f ms, beside the greedy one p99 %.1f ms, %.1f %% refused"
                        .formatted(idleMs, besideMs, refusedPercent))
                .holds("modest is served", besideMs <= 3 * idleMs || refusedPercent < 5)
                .note("greedy: %.0f %% of capacity"
                        .formatted(100 * greedyCalls.good().count() / (site.seconds(24) + 2) / capacity));
    }
}
