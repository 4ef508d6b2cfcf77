package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Call;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Executions;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/** Processes that are killed or frozen. */
public final class FailureRows {
    private static final double NS_PER_S = 1e9;

    /**
     * A third of 300 calls a second, for a quarter of a second: a busy machine takes longer than the 20 ms of a
     * provider.
     */
    static final int IN_FLIGHT = 25;

    private FailureRows() {}

    public static List<Row> rows() {
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
                        FailureRows::noProvider));
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
}
