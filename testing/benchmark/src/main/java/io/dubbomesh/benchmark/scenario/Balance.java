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
import java.util.Map;

/**
 * Four real providers that compute, held to different parts of a processor by control groups, with each strategy in
 * turn; beside it what the simulator says of the same shape.
 */
final class Balance {
    private static final int CONNECTIONS = 512;
    /** A new client's connections and the providers' queues settle in this time, which is not counted. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private static final int SIMULATED_SEEDS = 10;

    private Balance() {}

    static Scenario scenario() {
        return new Scenario(
                Map.of("--provider", "dubbo", "--weights", "1,1,1,1", "--seconds", "30", "--warmup", "10"),
                Balance::run);
    }

    private record Turn(Slice slice, String shares) {}

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
        FourProviders simulated = new FourProviders(session.options().weights);
        session.harness().state(simulated.description());
        List<Front> fronts =
                Fronts.start(session, MeshSettings.of(0).withConsumer("-Dlb.ejection=false", "-Dlb.slow-start=0"));
        // The compilers work before anything is held back.
        for (Front front : fronts) {
            load(front, session.options().plan().warmupSeconds(), 0);
        }
        List<CpuQuota> quotas = new ArrayList<>();
        for (int i = 0; i < cores.size(); i++) {
            quotas.add(CpuQuota.hold(providers.get(i), cores.get(i)));
        }
        try {
            measure(session, fronts, simulated);
        } finally {
            session.stage().stopAll();
            for (CpuQuota quota : quotas) {
                quota.remove();
            }
        }
    }

    private static void measure(Session session, List<Front> fronts, FourProviders simulated)
            throws IOException, InterruptedException {
        Map<Front, List<Turn>> turns = new LinkedHashMap<>();
        for (int round = 1; round <= session.options().plan().rounds(); round++) {
            for (Front front : Fronts.inOrder(fronts, round)) {
                Turn turn = load(front, session.options().plan().seconds(), round);
                turns.computeIfAbsent(front, key -> new ArrayList<>()).add(turn);
                session.harness().out().printf("  round %d, %s: %s%n", round, front.strategy(), turn.slice);
            }
        }
        Table table = new Table(
                "balance: median (lowest-highest) of the rounds, and what the simulator says",
                "strategy | goodput/s | failed | p50 ms | simulated | off % | p99 ms | simulated | off % | shares %");
        for (Front front : fronts) {
            List<Turn> ofFront = turns.get(front);
            Spread p50 = Spread.of(ofFront, turn -> turn.slice.goodMs(50));
            Spread p99 = Spread.of(ofFront, turn -> turn.slice.goodMs(99));
            SimulatedRow row = SimulatedRow.of(front.strategy(), simulated, SIMULATED_SEEDS);
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

    private static Turn load(Front front, int seconds, int seed) throws IOException, InterruptedException {
        Duration all = SETTLING.plusSeconds(seconds);
        List<Long> before = front.calls();
        Ledger ledger = LoadClient.run(
                LoadPlan.openLoop(front.target(), Schedule.random(FourProviders.CALLS_PER_SECOND, all, seed))
                        .withConnections(LoadPlan.Connections.of(CONNECTIONS)));
        return new Turn(ledger.slice(SETTLING, all), Fronts.shares(before, front.calls()));
    }
}
