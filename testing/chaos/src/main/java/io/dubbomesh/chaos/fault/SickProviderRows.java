package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Executions;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Site;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/**
 * One of several providers that is slow, refuses calls, stands still or is dead, and the share of the calls that it
 * gets.
 */
public final class SickProviderRows {
    private static final double NS_PER_S = 1e9;

    private SickProviderRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                                "F11",
                                "weights 1:2:3; one becomes ten times slower, dies, returns, changes its weight",
                                "shares within 5 % when healthy; the slow one gets less; no failures by the return",
                                SickProviderRows::weights)
                        .within(180),
                Row.of(
                        "F12",
                        "one of four providers becomes ten times slower, then refuses everything, then freezes",
                        "from 2 s after each change at most 0.5 % of calls fail, p99 at most 2 x healthy + 5 ms",
                        SickProviderRows::failingProvider),
                Row.of(
                                "F12B",
                                "one of ten providers is stopped (SIGSTOP), then becomes ten times slower, then refuses"
                                        + " everything",
                                "from 2 s after each change at most 0.5 % of calls fail or take longer than 2 x"
                                        + " the healthy p99",
                                SickProviderRows::failingOneOfTen)
                        .within(180),
                Row.of(
                                "F13",
                                "a static registry, one of three providers dead for good, 200/s",
                                "after 3 s at most 0.5 % of calls fail",
                                SickProviderRows::deadBehindAFixedList)
                        .isQuick());
    }

    private static void weights(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.withWeights(site, 1, 2, 3).providers("-Ddelay.ms=10").start();
        Workload workload = Workload.rate(500);
        Calls all = mesh.call(workload, site.seconds(20));
        addDeviation(figures, "healthy", mesh.shares(all), 1, 2, 3);

        mesh.provider(2).sendCommand("delay 100");
        Calls slow = mesh.call(workload, 4);
        pause(1);
        Calls slowSettled = mesh.call(workload, 4);
        figures.atMost("% of the calls at the slow one (of 50)", percent(mesh.shares(slowSettled), 2), 25);
        mesh.provider(2).sendCommand("delay 10");
        pause(1);

        Load load = mesh.load(workload);
        pause(1);
        mesh.provider(2).kill();
        pause(3);
        mesh.provider(2).restart();
        long backNs = System.nanoTime();
        pause(6);
        Calls death = load.stop();
        Calls back = death.from(backNs);
        figures.atMost("failed by its death", death.until(backNs).failed().count(), FailureRows.IN_FLIGHT)
                .none("failed after its return", back.failed().count());
        Executions executions = mesh.provider(2).executions();
        Calls firstSecond = back.until(backNs + (long) (2 * NS_PER_S));
        figures.atMost(
                "% of the calls in the first 2 s after its return",
                100.0 * firstSecond.where(call -> executions.has(call.hash())).count() / firstSecond.count(), 40);
        // Slow start lasts ten seconds.
        Calls warm = mesh.call(workload, 12);
        Calls healthy = mesh.call(workload, site.seconds(12));
        addDeviation(figures, "after its return", mesh.shares(healthy), 1, 2, 3);

        mesh.etcd().put(mesh.key(0), "{\"weight\":3,\"limit\":180}");
        pause(2);
        Calls changed = mesh.call(workload, site.seconds(12));
        addDeviation(figures, "changed to 3:2:3", mesh.shares(changed), 3, 2, 3);
        figures.nothingLost(
                all.and(slow).and(slowSettled).and(death).and(warm).and(healthy).and(changed), mesh.providers());
    }

    private static double percent(List<Integer> shares, int number) {
        return 100.0
                * shares.get(number)
                / shares.stream().mapToInt(Integer::intValue).sum();
    }

    /** Adds the deviation of each share from what its weight gives, in percent of that. */
    private static void addDeviation(Figures figures, String when, List<Integer> shares, int... weights) {
        double sum = shares.stream().mapToInt(Integer::intValue).sum();
        double weightSum = 0;
        for (int weight : weights) {
            weightSum += weight;
        }
        double most = 0;
        for (int i = 0; i < weights.length; i++) {
            double wanted = sum * weights[i] / weightSum;
            most = Math.max(most, Math.abs(shares.get(i) - wanted) / wanted * 100);
        }
        figures.atMost("% that shares differ, " + when, most, 5);
    }

    private static void failingProvider(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 4).providers("-Ddelay.ms=20").start();
        Load load = mesh.load(Workload.rate(400).timeout(Duration.ofSeconds(1)));
        long healthyNs = System.nanoTime();
        pause(5);
        List<Long> changesNs = new ArrayList<>();
        for (String change : List.of("delay 200", "refuse", "freeze")) {
            changesNs.add(System.nanoTime());
            if (change.equals("freeze")) {
                mesh.provider(1).freeze();
            } else {
                mesh.provider(1).sendCommand(change);
            }
            pause(site.seconds(12) + 2);
        }
        changesNs.add(System.nanoTime());
        mesh.provider(1).thaw();
        Calls calls = load.stop();
        double p99 = calls.between(healthyNs, changesNs.get(0)).percentileMs(99);
        figures.nothingLost(calls, mesh.providers()).note("healthy p99 %.1f ms".formatted(p99));
        List<String> names = List.of("slow", "refusing", "frozen");
        for (int i = 0; i < names.size(); i++) {
            Calls during = calls.between(changesNs.get(i) + (long) (2 * NS_PER_S), changesNs.get(i + 1));
            figures.atMost(names.get(i) + ": % failed", during.failedPercent(), 0.5)
                    .atMost(names.get(i) + ": p99 ms", during.good().percentileMs(99), 2 * p99 + 5);
        }
    }

    private static void failingOneOfTen(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 10).start();
        Load load = mesh.load(Workload.rate(400));
        long healthyNs = System.nanoTime();
        pause(site.seconds(20));
        int seconds = site.seconds(20) + 2;
        long stoppedNs = System.nanoTime();
        mesh.provider(1).freeze();
        pause(seconds);
        long slowNs = System.nanoTime();
        mesh.provider(1).thaw();
        mesh.provider(1).sendCommand("delay 200");
        pause(seconds);
        long refusingNs = System.nanoTime();
        mesh.provider(1).sendCommand("refuse");
        pause(seconds);
        long endNs = System.nanoTime();
        Calls calls = load.stop();
        double p99 = calls.between(healthyNs, stoppedNs).percentileMs(99);
        figures.nothingLost(calls, mesh.providers())
                .note("healthy p99 %.1f ms".formatted(p99))
                .atMost("stopped: % failed or late", lateOrFailed(calls, stoppedNs, slowNs, 2 * p99), 0.5)
                .atMost("slow: % failed or late", lateOrFailed(calls, slowNs, refusingNs, 2 * p99), 0.5)
                .atMost("refusing: % failed or late", lateOrFailed(calls, refusingNs, endNs, 2 * p99), 0.5);
    }

    /** In percent of the calls that were due from 2 s after the change on. */
    private static double lateOrFailed(Calls calls, long changeNs, long untilNs, double limitMs) {
        Calls settled = calls.between(changeNs + (long) (2 * NS_PER_S), untilNs);
        Calls bad = settled.where(call -> !call.isGood() || call.tookMs() > limitMs);
        return 100.0 * bad.count() / settled.count();
    }

    private static void deadBehindAFixedList(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).etcd(0).start();
        Load load = mesh.load(Workload.rate(200));
        pause(1);
        long killedNs = System.nanoTime();
        mesh.provider(1).kill();
        pause(site.seconds(16) + 3);
        Calls calls = load.stop();
        Calls later = calls.from(killedNs + (long) (3 * NS_PER_S));
        figures.nothingLost(calls, mesh.providers())
                .note("failed in all " + calls.failed().count())
                .atMost("% failed after 3 s", later.failedPercent(), 0.5);
    }
}
