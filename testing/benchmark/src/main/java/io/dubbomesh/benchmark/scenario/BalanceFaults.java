package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.client.LoadClient;
import io.dubbomesh.benchmark.client.LoadPlan;
import io.dubbomesh.benchmark.client.Schedule;
import io.dubbomesh.benchmark.ledger.Ledger;
import io.dubbomesh.benchmark.ledger.Slice;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;
import io.dubbomesh.benchmark.scenario.Fronts.Front;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Ten endpoints of 50 ms, some of which become slow or answer errors at once, with each strategy in turn and without
 * ejection: how long the calls take from two seconds after that on.
 */
final class BalanceFaults {
    private static final int ENDPOINTS = 10;
    private static final int CALLS_PER_SECOND = 400;
    private static final int CONNECTIONS = 512;
    private static final int ADMIN_PORT = 20_980;
    private static final int SETTLING_S = 2;
    private static final int LEARNING_S = 2;

    private BalanceFaults() {}

    /**
     * What becomes of some of the endpoints.
     *
     * @param set   the changes of a stub
     * @param reset what undoes them
     */
    private record Fault(String name, int endpoints, String set, String reset) {}

    private static final List<Fault> FAULTS = List.of(
            new Fault("one ten times slower", 1, "delay.ms=500", "delay.ms=50"),
            new Fault("two ten times slower", 2, "delay.ms=500", "delay.ms=50"),
            new Fault("one answers errors at once", 1, "fail=true", "fail=false"));

    private record Turn(Slice healthy, Slice faulty, double toFaulty) {
        double ratio() {
            return faulty.goodMs(99) / healthy.goodMs(99);
        }
    }

    static Scenario scenario() {
        return new Scenario(
                Map.of("--weights", "1,1,1,1,1,1,1,1,1,1", "--seconds", "10", "--warmup", "5"), BalanceFaults::run);
    }

    private static void run(Session session) throws IOException, InterruptedException {
        for (int i = 0; i < ENDPOINTS; i++) {
            session.stage().startProvider("-Ddelay.ms=50", "-Dadmin.port=" + (ADMIN_PORT + i));
        }
        session.stage().awaitProviders();
        session.harness()
                .state("ten stubs of 50 ms, " + CALLS_PER_SECOND + " calls/s at random times, nothing ejected");
        List<Front> fronts =
                Fronts.start(session, MeshSettings.of(0).withConsumer("-Dlb.ejection=false", "-Dlb.slow-start=0"));
        for (Front front : fronts) {
            LoadClient.run(plan(front, session.options().plan().warmupSeconds(), 0));
        }
        for (Fault fault : FAULTS) {
            session.harness().report().add(table(session, fronts, fault));
        }
    }

    private static Table table(Session session, List<Front> fronts, Fault fault)
            throws IOException, InterruptedException {
        Map<Front, List<Turn>> turns = new LinkedHashMap<>();
        for (int round = 1; round <= session.options().plan().rounds(); round++) {
            for (Front front : Fronts.inOrder(fronts, round)) {
                Turn turn = turn(front, fault, session.options().plan().seconds(), round);
                turns.computeIfAbsent(front, key -> new ArrayList<>()).add(turn);
                session.harness().out().printf("  %s, round %d, %s%n", fault.name, round, front.strategy());
                session.harness().out().printf("    %s%n    %s%n", turn.healthy, turn.faulty);
            }
        }
        Table table = new Table(
                "balance-faults: " + fault.name + ", from " + LEARNING_S
                        + " s on: median (lowest-highest) of the rounds",
                "strategy | p99 ms before | p99 ms then | times | failed % | calls to the faulty %");
        for (Front front : fronts) {
            List<Turn> ofFront = turns.get(front);
            table.add(
                    front.strategy(),
                    Spread.of(ofFront, turn -> turn.healthy.goodMs(99)),
                    Spread.of(ofFront, turn -> turn.faulty.goodMs(99)),
                    Spread.of(ofFront, Turn::ratio),
                    Spread.of(ofFront, turn -> 100 * turn.faulty.failedShare()),
                    Spread.of(ofFront, Turn::toFaulty));
        }
        return table;
    }

    /** Load on a healthy fleet for a time, and as long, after that of learning, on a faulty one. */
    private static Turn turn(Front front, Fault fault, int seconds, int seed) throws IOException, InterruptedException {
        Duration begin = Duration.ofSeconds(SETTLING_S);
        Duration change = begin.plusSeconds(seconds);
        Duration learnt = change.plusSeconds(LEARNING_S);
        Duration end = learnt.plusSeconds(seconds);
        try (LoadClient client = LoadClient.start(plan(front, end.toSeconds(), seed))) {
            await(client, change);
            set(fault.endpoints, fault.set);
            await(client, learnt);
            List<Long> before = front.calls();
            Ledger ledger = client.finish();
            List<Long> calls = Fronts.difference(before, front.calls());
            double toFaulty = calls.stream()
                    .limit(fault.endpoints)
                    .mapToLong(Long::longValue)
                    .sum();
            double all = calls.stream().mapToLong(Long::longValue).sum();
            return new Turn(ledger.slice(begin, change), ledger.slice(learnt, end), 100 * toFaulty / all);
        } finally {
            set(fault.endpoints, fault.reset);
        }
    }

    private static LoadPlan plan(Front front, long seconds, int seed) {
        return LoadPlan.openLoop(front.target(), Schedule.random(CALLS_PER_SECOND, Duration.ofSeconds(seconds), seed))
                .withConnections(LoadPlan.Connections.of(CONNECTIONS));
    }

    private static void await(LoadClient client, Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.minus(client.elapsed()).toNanos());
    }

    /** Changes the first stubs. */
    private static void set(int endpoints, String change) throws IOException {
        for (int i = 0; i < endpoints; i++) {
            URI.create(Stage.url(ADMIN_PORT + i) + "/?" + change)
                    .toURL()
                    .openStream()
                    .close();
        }
    }
}
