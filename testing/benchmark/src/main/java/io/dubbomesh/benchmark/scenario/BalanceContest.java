package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.client.LoadClient;
import io.dubbomesh.benchmark.client.LoadPlan;
import io.dubbomesh.benchmark.ledger.Slice;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;
import io.dubbomesh.benchmark.scenario.Fronts.Front;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The contest's shape, a quarter of it so that it fits two cores: providers of 28, 50 and 50 threads that sleep 50 ms,
 * and as many connections as threads. Each strategy with the weights that are told, and with {@code lb.weight=auto}.
 */
final class BalanceContest {
    private static final List<Integer> THREADS = List.of(28, 50, 50);
    private static final int CALL_MS = 50;
    private static final Duration SETTLING = Duration.ofSeconds(1);
    /** The index of the mesh without told weights: behind those of the other one's strategies. */
    private static final int UNTOLD_INDEX = 20;

    private BalanceContest() {}

    static Scenario scenario() {
        return new Scenario(
                Map.of("--weights", "28,50,50", "--connections", "128", "--seconds", "10", "--warmup", "10"),
                BalanceContest::run);
    }

    private static void run(Session session) throws IOException, InterruptedException {
        for (int threads : THREADS) {
            session.stage().startProvider("-Ddelay.ms=" + CALL_MS, "-Dthreads=" + threads, "-Dlimit=" + threads);
        }
        session.stage().awaitProviders();
        double mostPerSecond = THREADS.stream().mapToInt(Integer::intValue).sum() * 1000.0 / CALL_MS;
        session.harness()
                .state("stubs of 50 ms and " + THREADS + " threads, which refuse what is beyond: " + mostPerSecond
                        + " calls/s at most; the agents learn their limits");
        // Neither has the index 0: both need the same kind of registry.
        MeshSettings learning = MeshSettings.of(1).withProvider("-Dlb.limit=auto");
        Map<Front, String> fronts = new LinkedHashMap<>();
        for (Front front : Fronts.start(session, learning)) {
            fronts.put(front, "told");
        }
        for (Front front :
                Fronts.start(session, learning.withIndex(UNTOLD_INDEX).withProvider("-Dlb.weight=auto"))) {
            fronts.put(front, "auto");
        }
        int connections = session.options().mostConnections();
        for (Front front : fronts.keySet()) {
            load(front, connections, session.options().plan().warmupSeconds());
        }
        Map<Front, List<Slice>> slices = new LinkedHashMap<>();
        Map<Front, String> shares = new LinkedHashMap<>();
        for (int round = 1; round <= session.options().plan().rounds(); round++) {
            for (Front front : Fronts.inOrder(List.copyOf(fronts.keySet()), round)) {
                List<Long> before = front.calls();
                Slice slice = load(front, connections, session.options().plan().seconds());
                slices.computeIfAbsent(front, key -> new ArrayList<>()).add(slice);
                shares.put(front, Fronts.shares(before, front.calls()));
                session.harness()
                        .out()
                        .printf("  round %d, %s, %s: %s%n", round, front.strategy(), fronts.get(front), slice);
            }
        }
        Table table = new Table(
                "balance-contest: median (lowest-highest) of the rounds",
                "strategy | weights | goodput/s | of the pools % | p50 ms | p99 ms | failed % | shares %");
        fronts.forEach((front, weights) -> {
            List<Slice> ofFront = slices.get(front);
            table.add(
                    front.strategy(),
                    weights,
                    Spread.of(ofFront, Slice::goodPerSecond),
                    Spread.of(ofFront, slice -> 100 * slice.goodPerSecond() / mostPerSecond),
                    Spread.of(ofFront, slice -> slice.goodMs(50)),
                    Spread.of(ofFront, slice -> slice.goodMs(99)),
                    Spread.of(ofFront, slice -> 100 * slice.failedShare()),
                    shares.get(front));
        });
        session.harness().report().add(table);
    }

    private static Slice load(Front front, int connections, int seconds) throws InterruptedException {
        Duration all = SETTLING.plusSeconds(seconds);
        return LoadClient.run(LoadPlan.closedLoop(front.target(), connections, all))
                .slice(SETTLING, all);
    }
}
