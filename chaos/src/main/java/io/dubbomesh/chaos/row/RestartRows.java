package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Network;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

import static io.dubbomesh.chaos.site.Site.pause;

/** Agents and providers that are restarted one by one. */
final class RestartRows {
    private static final double NS_PER_S = 1e9;

    private RestartRows() {}

    static List<Row> rows() {
        return List.of(Row.of(
                        "F9",
                        "rolling restart of three consumer agents, three provider agents and three providers by"
                                + " SIGTERM, ten rounds, 500/s, keep-alive and new connections",
                        "0 failed; each ends within 10 s",
                        RestartRows::rollingRestart)
                .within(600));
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
            rolling.add(new FutureTask<>(() -> slowestEnd(rounds, kind, RestartRows::restart)));
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
}
