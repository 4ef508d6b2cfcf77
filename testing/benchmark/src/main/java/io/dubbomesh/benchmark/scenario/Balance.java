package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.client.LoadClient;
import io.dubbomesh.benchmark.client.LoadPlan;
import io.dubbomesh.benchmark.client.Schedule;
import io.dubbomesh.benchmark.ledger.Ledger;
import io.dubbomesh.benchmark.ledger.Outcome;
import io.dubbomesh.benchmark.ledger.Slice;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.CpuQuota;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;
import io.dubbomesh.benchmark.scenario.Fronts.Front;
import io.dubbomesh.benchmark.simulate.FourProviders;
import io.dubbomesh.benchmark.simulate.SimulatedRow;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Four real providers that compute, held to different parts of a processor by control groups, with each strategy in
 * turn; beside it what the simulator says of the same shape.
 */
final class Balance {
    private static final int CONNECTIONS = 512;
    private static final int UNLOADED_CALLS_PER_SECOND = 10;
    private static final Duration UNLOADED = Duration.ofSeconds(10);

    private Balance() {}

    static Scenario scenario() {
        return new Scenario(
                Map.of("--provider", "dubbo", "--weights", "1,1,1,1", "--seconds", "30", "--warmup", "10"),
                Balance::run);
    }

    /** @param cpuUs that the providers used in it */
    private record Turn(Slice slice, int calls, String shares, long cpuUs) {}

    private static void run(Session session) throws IOException, InterruptedException {
        List<Double> cores = FourProviders.CORES;
        if (session.options().weights.size() != cores.size()) {
            throw new BenchException("--weights: expected " + cores.size() + " of them");
        }
        List<Program> providers = new ArrayList<>();
        for (int i = 0; i < cores.size(); i++) {
            providers.add(session.stage().startProvider("-Ddelay.ms=0", "-Dbusy.ms=" + FourProviders.BUSY_MS));
        }
        session.stage().awaitProviders();
        session.harness()
                .state(simulated(session, FourProviders.CPU_MS, FourProviders.WAY_MS)
                        .description());
        List<Front> fronts =
                Fronts.start(session, MeshSettings.of(0).withConsumer("-Dlb.ejection=false", "-Dlb.slow-start=0"));
        // The compilers work before anything is held back.
        for (Front front : fronts) {
            load(front, providers, session.options().plan().warmupSeconds(), 0);
        }
        double unloadedMs = unloadedMs(fronts.get(0));
        List<CpuQuota> quotas = new ArrayList<>();
        for (int i = 0; i < cores.size(); i++) {
            quotas.add(CpuQuota.hold(providers.get(i), cores.get(i), FourProviders.PERIOD));
        }
        try {
            measure(session, fronts, providers, unloadedMs);
        } finally {
            session.stage().stopAll();
            for (CpuQuota quota : quotas) {
                quota.remove();
            }
        }
    }

    /** Returns the median time of a call where none waits for another one, before anything is held back. */
    private static double unloadedMs(Front front) throws IOException, InterruptedException {
        Ledger ledger = LoadClient.run(
                LoadPlan.openLoop(front.target(), Schedule.constant(UNLOADED_CALLS_PER_SECOND, UNLOADED)));
        return ledger.slice(FourProviders.SETTLING, UNLOADED).goodMs(50);
    }

    private static FourProviders simulated(Session session, double cpuMs, double wayMs) {
        return new FourProviders(
                session.options().weights,
                Duration.ofSeconds(session.options().plan().seconds()),
                cpuMs,
                wayMs);
    }

    private static void measure(Session session, List<Front> fronts, List<Program> providers, double unloadedMs)
            throws IOException, InterruptedException {
        Map<Front, List<Turn>> turns = new LinkedHashMap<>();
        for (int round = 1; round <= session.options().plan().rounds(); round++) {
            for (Front front : Fronts.inOrder(fronts, round)) {
                Turn turn = load(front, providers, session.options().plan().seconds(), round);
                turns.computeIfAbsent(front, key -> new ArrayList<>()).add(turn);
                session.harness().out().printf("  round %d, %s: %s%n", round, front.strategy(), turn.slice);
            }
        }
        List<Turn> all = turns.values().stream().flatMap(List::stream).toList();
        double calls = all.stream().mapToLong(turn -> turn.calls).sum();
        double cpuMs = all.stream().mapToLong(turn -> turn.cpuUs).sum() / calls / 1_000;
        double wayMs = Math.max(0, unloadedMs - cpuMs);
        session.harness()
                .state(String.format(
                        Locale.ROOT,
                        "a provider used %.2f ms of CPU for a call; one that waited for no other took %.2f ms",
                        cpuMs,
                        unloadedMs));
        FourProviders simulated = simulated(session, cpuMs, wayMs);
        Table table = new Table(
                "balance: median (lowest-highest) of the rounds, and what the simulator says",
                "strategy | goodput/s | failed | p50 ms | simulated | off % | p99 ms | simulated | off % | shares %");
        for (Front front : fronts) {
            List<Turn> ofFront = turns.get(front);
            Spread p50 = Spread.of(ofFront, turn -> turn.slice.goodMs(50));
            Spread p99 = Spread.of(ofFront, turn -> turn.slice.goodMs(99));
            SimulatedRow row = SimulatedRow.of(front.strategy(), simulated, ofFront.size());
            table.add(
                    front.strategy(),
                    Spread.of(ofFront, turn -> turn.slice.goodPerSecond()),
                    ofFront.stream()
                            .mapToLong(turn -> turn.slice.calls() - turn.slice.count(Outcome.GOOD))
                            .sum(),
                    p50,
                    row.p50Ms(),
                    100 * (row.p50Ms() / p50.median() - 1),
                    p99,
                    row.p99Ms(),
                    100 * (row.p99Ms() / p99.median() - 1),
                    ofFront.get(ofFront.size() - 1).shares);
        }
        session.harness().report().add(table);
    }

    private static Turn load(Front front, List<Program> providers, int seconds, int round)
            throws IOException, InterruptedException {
        Duration counted = Duration.ofSeconds(seconds);
        List<Long> before = front.calls();
        long cpuBeforeUs = cpuUs(providers);
        Schedule schedule = FourProviders.calls(counted, round);
        Ledger ledger = LoadClient.run(
                LoadPlan.openLoop(front.target(), schedule).withConnections(LoadPlan.Connections.of(CONNECTIONS)));
        return new Turn(
                ledger.slice(FourProviders.SETTLING, FourProviders.SETTLING.plus(counted)),
                schedule.steps().size(),
                Fronts.shares(before, front.calls()),
                cpuUs(providers) - cpuBeforeUs);
    }

    private static long cpuUs(List<Program> providers) throws IOException {
        long sumUs = 0;
        for (Program provider : providers) {
            sumUs += provider.cpu().totalUs();
        }
        return sumUs;
    }
}
