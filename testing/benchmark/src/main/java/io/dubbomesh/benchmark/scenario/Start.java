package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.client.LoadClient;
import io.dubbomesh.benchmark.client.LoadPlan;
import io.dubbomesh.benchmark.ledger.Slice;
import io.dubbomesh.benchmark.report.Plot;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The time from the start of each agent's process until it is ready, including the registry, and the latency of the
 * first 1,000 requests that come then, one in each millisecond.
 */
final class Start {
    private static final int REQUESTS_PER_SECOND = 1000;
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int CONNECTIONS = 64;
    private static final double P99 = 99;
    private static final double ALL = 100;

    private Start() {}

    static Scenario scenario() {
        return new Scenario(Map.of("--rounds", "10"), Start::run);
    }

    private static void run(Session session) throws IOException, InterruptedException {
        MeshSettings settings = MeshSettings.of(0);
        session.startProviders(0);
        Starts starts = new Starts(session, settings);
        List<Starts.Pair> pairs = new ArrayList<>();
        List<Slice> firsts = new ArrayList<>();
        for (int round = session.options().plan().rounds(); round > 0; round--) {
            Starts.Pair pair = starts.start(settings);
            firsts.add(firstRequests(session, settings));
            starts.stop(pair);
            pairs.add(pair);
        }
        Table table =
                new Table("start: until /readyz answers 200", "agent | starts | first ms | ms | CPU ms | RSS MiB then");
        Map<String, Spread> ranges = new LinkedHashMap<>();
        add(pairs.stream().map(Starts.Pair::providerAgent).toList(), table, ranges);
        add(pairs.stream().map(Starts.Pair::consumerAgent).toList(), table, ranges);
        session.harness().report().add(table);
        session.harness().report().add(Plot.ranges("start: until ready", "ms", ranges));
        Table requests = new Table(
                "start: the first 1,000 requests, 1,000 a second", "starts | p99 ms | longest ms | not answered well");
        requests.add(
                firsts.size(),
                Spread.of(firsts, slice -> slice.goodMs(P99)),
                Spread.of(firsts, slice -> slice.goodMs(ALL)),
                Spread.of(firsts, slice -> slice.failedShare() * slice.calls()));
        session.harness().report().add(requests);
    }

    private static Slice firstRequests(Session session, MeshSettings settings) throws InterruptedException {
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Stage.consumerPort(settings));
        LoadPlan plan = LoadPlan.openLoop(target, REQUESTS_PER_SECOND, FIRST)
                .withConnections(LoadPlan.Connections.of(CONNECTIONS));
        Slice slice = LoadClient.run(plan).all();
        session.harness()
                .out()
                .printf("  first requests: p99 %.1f ms, longest %.1f ms%n", slice.goodMs(P99), slice.goodMs(ALL));
        return slice;
    }

    private static void add(List<Starts.Start> starts, Table table, Map<String, Spread> ranges) {
        String agent = starts.get(0).agent().name();
        ranges.put(agent, Spread.of(starts, Starts.Start::ms));
        table.add(
                agent,
                starts.size(),
                starts.get(0).ms(),
                ranges.get(agent),
                Spread.of(starts, Starts.Start::cpuMs),
                Spread.of(starts, Starts.Start::residentMib));
    }
}
