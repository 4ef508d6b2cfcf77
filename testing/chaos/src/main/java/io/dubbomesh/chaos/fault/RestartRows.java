package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Etcd;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Network;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.chaos.site.ZooKeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;

import static io.dubbomesh.chaos.site.Site.pause;

/** Agents and providers that are restarted one by one. */
public final class RestartRows {
    private static final double NS_PER_S = 1e9;

    private RestartRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                                "F9",
                                "rolling restart of three consumer agents, three provider agents and three providers by"
                                        + " SIGTERM, ten rounds, 500/s, keep-alive and new connections",
                                "0 failed; each ends within 10 s",
                                RestartRows::rollingRestart)
                        .within(600),
                Row.of(
                                "F14",
                                "two Dubbo 3.3 providers whose port speaks tri and dubbo, ten restarts by SIGTERM, 200/s through"
                                        + " a gateway with their ZooKeeper, 200/s through their provider agents",
                                "0 failed; each ends within 10 s",
                                (site, figures) -> sharedPort(site, figures, "tri", "dubbo", "dubbo"))
                        .within(300),
                Row.of(
                                "F14B",
                                "as F14 with a port of dubbo that speaks tri, too, by which the provider agents call it",
                                "0 failed; each ends within 10 s",
                                (site, figures) -> sharedPort(site, figures, "dubbo", "tri", "tri"))
                        .within(300),
                Row.of(
                                "F15",
                                "a Dubbo 3.3 provider ended by SIGTERM behind its agent, and one whose agent has left, three times each",
                                "at most 2 s longer (median); 0 failed by the one that is left",
                                RestartRows::endBesideAgent)
                        .within(240),
                Row.of(
                                "F16",
                                "one of two Dubbo 3.3 providers goes over from dubbo to tri and back at the same port, ten"
                                        + " times, 500/s through a gateway with their ZooKeeper",
                                "0 failed",
                                RestartRows::changedProtocol)
                        .within(400));
    }

    private static void endBesideAgent(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).realProviders().start();
        int rounds = site.times(3);
        double[] alone = new double[rounds];
        double[] attached = new double[rounds];
        Load load = mesh.load(Workload.rate(60));
        for (int i = 0; i < rounds; i++) {
            pause(2);
            // Dubbo waits longer for a connection that was called lately: both were, as long ago.
            double left = mesh.agent(1).end(15);
            alone[i] = mesh.provider(1).end(30);
            mesh.start(1);
            pause(3);
            mesh.agent(0).drain();
            pause(left);
            attached[i] = mesh.provider(0).end(30);
            mesh.provider(0).restart();
            mesh.agent(0).endDrain();
            mesh.agent(0).awaitReady();
        }
        Calls calls = load.stop();
        Arrays.sort(alone);
        Arrays.sort(attached);
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .note("s to end without an agent " + alone[rounds / 2])
                .atMost("s more with one", Math.max(0, attached[rounds / 2] - alone[rounds / 2]), 2);
    }

    /** @param byAgents the protocol by which the provider agents call the providers */
    private static void sharedPort(Site site, Figures figures, String protocol, String further, String byAgents)
            throws Exception {
        ZooKeeper zooKeeper = site.zooKeeper();
        Etcd etcd = site.etcd(1);
        List<Part> providers = new ArrayList<>();
        List<Part> agents = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Part provider = site.registeringProvider(
                    "provider-" + i,
                    zooKeeper,
                    "-Dprotocol=" + protocol,
                    "-Ddubbo.protocol.ext-protocol=" + further,
                    "-Ddelay.ms=20");
            provider.restart();
            providers.add(provider);
            Part agent = site.providerAgent(
                    "agent-" + i,
                    provider.host(),
                    provider.port(),
                    etcd.uri(provider.host()),
                    List.of("-Ddubbo.protocol.host=" + provider.host().address(), "-Ddubbo.protocol.name=" + byAgents));
            agent.restart();
            agents.add(agent);
        }
        Part gateway = site.gateway("gateway", zooKeeper.uri(Host.HOME), List.of());
        Part consumer = site.consumerAgent("consumer-agent", etcd.uri(Host.HOME), List.of());
        for (Part each : List.of(gateway, consumer)) {
            each.restart();
            site.call(Workload.closed(8), 3, each);
        }
        Load direct = site.load(Workload.rate(200).connections(16), gateway);
        Load pair = site.load(Workload.rate(200).connections(16), consumer);
        double slowest = 0;
        int restarts = site.times(10);
        for (int i = 0; i < restarts; i++) {
            Part provider = providers.get(i % 2);
            slowest = Math.max(slowest, restart(provider));
            agents.get(i % 2).awaitReady();
            // Until it is used: the other one may end now.
            pause(3);
        }
        Calls throughGateway = direct.stop();
        Calls throughAgents = pair.stop();
        figures.nothingLost(throughGateway.and(throughAgents), providers)
                .note(restarts + " restarts")
                .none("failed through the gateway", throughGateway.failed().count())
                .none("failed through the agents", throughAgents.failed().count())
                .atMost("s for the slowest end", slowest, 10);
        if (throughGateway.failed().count() > 0) {
            figures.note("gateway " + throughGateway.statuses());
        }
        if (throughAgents.failed().count() > 0) {
            figures.note("agents " + throughAgents.statuses());
        }
    }

    private static void changedProtocol(Site site, Figures figures) throws Exception {
        ZooKeeper zooKeeper = site.zooKeeper();
        Part staying = site.registeringProvider("staying", zooKeeper, "-Ddelay.ms=5");
        Part byDubbo = site.registeringProvider("by-dubbo", zooKeeper, "-Ddelay.ms=5");
        Part byTriple = site.registeringProvider("by-triple", zooKeeper, byDubbo, "-Dprotocol=tri", "-Ddelay.ms=5");
        staying.restart();
        byDubbo.restart();
        Part gateway = site.gateway("gateway", zooKeeper.uri(Host.HOME), List.of());
        gateway.restart();
        site.call(Workload.closed(8), 4, gateway);
        Load load = site.load(Workload.rate(500).connections(32), gateway);
        int changes = site.times(10);
        int called = 0;
        Part before = byDubbo;
        for (int i = 0; i < changes; i++) {
            Part after = before == byDubbo ? byTriple : byDubbo;
            pause(2);
            before.end(20);
            after.restart();
            int executed = after.executions().count();
            called += Wait.seconds(20, () -> after.executions().count() > executed + 10) < 20 ? 1 : 0;
            before = after;
        }
        pause(2);
        Calls calls = load.stop();
        figures.nothingLost(calls, List.of(staying, byDubbo, byTriple))
                .equal("changes after which it is called", called, changes)
                .none("failed", calls.failed().count());
        if (calls.failed().count() > 0) {
            figures.note(calls.statuses());
        }
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
