package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Call;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.site.Executions;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Network;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

import static io.dubbomesh.chaos.site.Site.pause;

/** Processes that are killed, frozen, slow or restarted. */
final class FailureRows {
    private static final double NS_PER_S = 1e9;

    /**
     * A third of 300 calls a second, for a quarter of a second: a busy machine takes longer than the 20 ms of a
     * provider.
     */
    private static final int IN_FLIGHT = 25;

    private FailureRows() {}

    static List<Row> rows() {
        return List.of(
                Row.of(
                                "F1",
                                "kill -9 of one of three providers under load, start it again",
                                "only calls in flight fail, with 502; out of rotation in 1 s; back in 5 s",
                                FailureRows::killedProvider)
                        .isQuick(),
                Row.of(
                        "F2",
                        "kill -9 of a provider agent; kill -9 of the consumer agent, and restart",
                        "only calls in flight fail; none goes to the dead agent after 1 s; calls again when restarted",
                        FailureRows::killedAgents),
                Row.of(
                                "F3",
                                "SIGSTOP of one of four providers for 10 s, then SIGCONT",
                                "504 at the deadline; at most 10 calls fail that were sent after the first deadline;"
                                        + " back in 5 s",
                                FailureRows::frozenProvider)
                        .isQuick(),
                Row.of(
                        "F4",
                        "SIGSTOP of a provider agent for longer than its lease, then SIGCONT",
                        "registered again in 3 s, one key; nothing lost",
                        FailureRows::frozenAgent),
                Row.of(
                        "F8",
                        "all three providers killed, then one back",
                        "503 in 10 ms; a good answer 2 s after the return",
                        FailureRows::noProvider),
                Row.of(
                                "F9",
                                "rolling restart of three consumer agents, three provider agents and three providers by"
                                        + " SIGTERM, ten rounds, 500/s, keep-alive and new connections",
                                "0 failed; each ends within 10 s",
                                FailureRows::rollingRestart)
                        .within(600),
                Row.of(
                                "F11",
                                "weights 1:2:3; one becomes ten times slower, dies, returns, changes its weight",
                                "shares within 5 % when healthy; the slow one gets less; no failures by the return",
                                FailureRows::weights)
                        .within(180),
                Row.of(
                        "F12",
                        "one of four providers becomes ten times slower, then refuses everything, then freezes",
                        "from 2 s after each change at most 0.5 % of calls fail, p99 at most 2 x healthy + 5 ms",
                        FailureRows::failingProvider),
                Row.of(
                                "F12B",
                                "one of ten providers is stopped (SIGSTOP), then becomes ten times slower, then refuses"
                                        + " everything",
                                "from 2 s after each change at most 0.5 % of calls fail or take longer than 2 x the healthy"
                                        + " p99",
                                FailureRows::failingOneOfTen)
                        .within(180),
                Row.of(
                                "F13",
                                "a static registry, one of three providers dead for good, 200/s",
                                "after 3 s at most 0.5 % of calls fail",
                                FailureRows::deadBehindAFixedList)
                        .isQuick());
    }

    private static void killedProvider(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        Load load = mesh.load(Workload.rate(300));
        pause(2);
        long killedNs = System.nanoTime();
        mesh.provider(1).kill();
        pause(3);
        mesh.provider(1).restart();
        long backNs = System.nanoTime();
        pause(6);
        Calls calls = load.stop();
        Calls failed = calls.failed();
        figures.nothingLost(calls, mesh.providers())
                .atMost("failed", failed.count(), IN_FLIGHT)
                .none(
                        "failed otherwise than with 502",
                        failed.count() - failed.withStatus(502).count())
                .atMost("s until the last failure", (failed.lastDueNs(killedNs) - killedNs) / NS_PER_S, 1)
                .atMost("s until it is called again", secondsUntilCalled(calls, backNs, mesh.provider(1)), 5);
    }

    /**
     * Until the first good call that was sent since then and that this provider executed; a hundred if there is none.
     */
    private static double secondsUntilCalled(Calls calls, long fromNs, Part provider) throws IOException {
        Executions executions = provider.executions();
        long firstNs = calls.from(fromNs).good().where(call -> executions.has(call.hash())).all().stream()
                .mapToLong(Call::dueNs)
                .min()
                .orElse(fromNs + (long) (100 * NS_PER_S));
        return (firstNs - fromNs) / NS_PER_S;
    }

    private static void killedAgents(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        Load load = mesh.load(Workload.rate(300));
        pause(2);
        long killedNs = System.nanoTime();
        mesh.agent(1).kill();
        pause(3);
        boolean keyLeft = mesh.etcd().entries().containsKey(mesh.key(1));
        long consumerKilledNs = System.nanoTime();
        mesh.consumer().kill();
        mesh.consumer().restart();
        long restartedNs = System.nanoTime();
        pause(3);
        mesh.agent(1).restart();
        long backNs = System.nanoTime();
        pause(6);
        Calls calls = load.stop();
        Calls first = calls.until(consumerKilledNs - (long) (0.1 * NS_PER_S));
        figures.nothingWrong(calls, mesh.providers())
                .atMost("failed by the provider agent's death", first.failed().count(), IN_FLIGHT)
                .atMost("s until the last failure", (first.failed().lastDueNs(killedNs) - killedNs) / NS_PER_S, 1)
                .holds("its key was still there", keyLeft)
                .atMost(
                        "connections broken by the consumer agent's death",
                        calls.where(Call::isLost).count(),
                        IN_FLIGHT)
                .none(
                        "failed after it was ready",
                        calls.from(restartedNs).failed().count())
                .atMost(
                        "s until the restarted agent is called",
                        secondsUntilCalled(calls, backNs, mesh.provider(1)),
                        5);
    }

    private static void frozenProvider(Site site, Figures figures) throws Exception {
        Duration timeout = Duration.ofSeconds(1);
        Mesh mesh = Mesh.of(site, 4).start();
        Load load = mesh.load(Workload.rate(240).timeout(timeout));
        pause(3);
        long frozenNs = System.nanoTime();
        mesh.provider(1).freeze();
        pause(10);
        mesh.provider(1).thaw();
        long thawedNs = System.nanoTime();
        pause(6);
        Calls calls = load.stop();
        Calls failed = calls.failed();
        figures.nothingLost(calls, mesh.providers())
                .note("failed " + failed.count() + " (" + failed.statuses() + ")")
                .atMost("ms for the slowest call", calls.percentileMs(100), timeout.toMillis() + 100)
                .atMost(
                        "failed after the first deadline",
                        failed.from(frozenNs + timeout.toNanos()).count(),
                        10)
                .atMost("s until it is called again", secondsUntilCalled(calls, thawedNs, mesh.provider(1)), 5);
    }

    private static void frozenAgent(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        Load load = mesh.load(Workload.rate(150).timeout(Duration.ofSeconds(2)));
        pause(2);
        mesh.agent(1).freeze();
        int leaseSeconds = 30;
        pause(leaseSeconds + 6);
        boolean gone = !mesh.etcd().entries().containsKey(mesh.key(1));
        long thawedNs = System.nanoTime();
        mesh.agent(1).thaw();
        double seconds = Wait.seconds(10, () -> mesh.etcd().entries().containsKey(mesh.key(1)));
        pause(4);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .holds("the key went with the lease", gone)
                .atMost("s until it is registered again", seconds, 3)
                .equal("keys", mesh.etcd().entries().size(), 3)
                .note("failed " + calls.failed().count() + " (" + calls.failed().statuses() + ")")
                .atMost("s until it is called again", secondsUntilCalled(calls, thawedNs, mesh.provider(1)), 5);
    }

    private static void noProvider(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        Load load = mesh.load(Workload.rate(150));
        pause(1);
        for (Part provider : mesh.providers()) {
            provider.kill();
        }
        // The agents deregister.
        pause(2);
        long deadNs = System.nanoTime();
        pause(4);
        long untilNs = System.nanoTime();
        mesh.provider(0).restart();
        long backNs = System.nanoTime();
        pause(4);
        Calls calls = load.stop();
        Calls dead = calls.between(deadNs, untilNs);
        figures.nothingLost(calls, mesh.providers())
                .equal("answered 503", dead.withStatus(503).count(), dead.count())
                .atMost("ms for a refusal (p99)", dead.percentileMs(99), 10)
                .atMost("s until a good answer", secondsUntilCalled(calls, backNs, mesh.provider(0)), 2);
    }

    private static void rollingRestart(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        List<Part> consumers = new ArrayList<>(List.of(mesh.consumer()));
        for (int i = 1; i < 3; i++) {
            consumers.add(site.consumerAgent("consumer-agent-" + i, mesh.registry(), List.of()));
            consumers.get(i).restart();
            site.call(Workload.closed(8), 2, consumers.get(i));
        }
        Part[] targets = consumers.toArray(Part[]::new);
        long startNs = System.nanoTime();
        Load keepAlive = site.load(Workload.rate(300).connections(64), targets);
        Load newConnections = site.load(Workload.rate(200).newConnections(), targets);
        int rounds = site.times(10);
        // The three kinds at the same time.
        List<FutureTask<Double>> rolling = new ArrayList<>();
        Network network = site.network();
        rolling.add(new FutureTask<>(() -> slowestEnd(rounds, consumers, part -> restartReady(network, part))));
        for (List<Part> kind : List.of(mesh.agents(), mesh.providers())) {
            rolling.add(new FutureTask<>(() -> slowestEnd(rounds, kind, FailureRows::restart)));
        }
        for (FutureTask<Double> kind : rolling) {
            Thread thread = new Thread(kind, "rolling-restart");
            thread.setDaemon(true);
            thread.start();
        }
        double slowest = 0;
        for (FutureTask<Double> kind : rolling) {
            slowest = Math.max(slowest, kind.get());
        }
        pause(2);
        Calls calls = keepAlive.stop().and(newConnections.stop());
        figures.nothingLost(calls, mesh.providers())
                .note(9 * rounds + " restarts")
                .none("failed", calls.failed().count())
                .atMost("s for the slowest end", slowest, 10);
        if (calls.failed().count() > 0) {
            figures.note(calls.statuses()).note("failed at " + calls.failed().times(startNs));
        }
    }

    /** Restarts one after the other, so many times, and returns how many seconds the slowest took to end. */
    private static double slowestEnd(int rounds, List<Part> kind, Restart restart) throws Exception {
        double slowest = 0;
        for (int round = 0; round < rounds; round++) {
            for (Part part : kind) {
                slowest = Math.max(slowest, restart.secondsToEnd(part));
                // Until it is used: the others may end now.
                pause(1);
            }
        }
        return slowest;
    }

    private interface Restart {
        double secondsToEnd(Part part) throws Exception;
    }

    private static double restart(Part part) throws IOException, InterruptedException {
        double seconds = part.end(15);
        part.restart();
        return seconds;
    }

    /**
     * Clients connect to it for half a second after the signal, as long as a load balancer takes to notice, and when it
     * is ready again.
     */
    private static double restartReady(Network network, Part part) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        part.terminate();
        pause(0.5);
        network.refuse(part.port());
        part.awaitEnd(15);
        double seconds = (System.nanoTime() - startNs) / NS_PER_S;
        part.restart();
        network.accept(part.port());
        return seconds;
    }

    private static void weights(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.withWeights(site, 1, 2, 3).providers("-Ddelay.ms=10").start();
        Workload workload = Workload.rate(500);
        Calls all = mesh.call(workload, site.seconds(20));
        addDeviation(figures, "healthy", mesh.shares(all), 1, 2, 3);

        mesh.provider(2).tell("delay 100");
        Calls slow = mesh.call(workload, 4);
        pause(1);
        Calls slowSettled = mesh.call(workload, 4);
        figures.atMost("% of the calls at the slow one (of 50)", percent(mesh.shares(slowSettled), 2), 25);
        mesh.provider(2).tell("delay 10");
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
        figures.atMost("failed by its death", death.until(backNs).failed().count(), IN_FLIGHT)
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

    /** Of each share from what its weight gives, in percent of that. */
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
                mesh.provider(1).tell(change);
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
        mesh.provider(1).tell("delay 200");
        pause(seconds);
        long refusingNs = System.nanoTime();
        mesh.provider(1).tell("refuse");
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
