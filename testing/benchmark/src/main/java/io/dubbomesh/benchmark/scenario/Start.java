package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.report.Plot;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The time from the start of each agent's process until it is ready, including the registry. */
final class Start {
    private Start() {}

    static Scenario scenario() {
        return new Scenario(Map.of("--rounds", "10"), Start::run);
    }

    private static void run(Session session) throws IOException, InterruptedException {
        MeshSettings settings = MeshSettings.of(0);
        session.startProviders(0);
        Starts starts = new Starts(session, settings);
        List<Starts.Pair> pairs = new ArrayList<>();
        for (int round = session.options().plan().rounds(); round > 0; round--) {
            pairs.add(starts.startPair(settings));
        }
        Table table = new Table("start: until /readyz answers 200", "agent | starts | ms | RSS MiB then");
        Map<String, Spread> ranges = new LinkedHashMap<>();
        add(pairs.stream().map(Starts.Pair::providerAgent).toList(), table, ranges);
        add(pairs.stream().map(Starts.Pair::consumerAgent).toList(), table, ranges);
        session.harness().report().add(table);
        session.harness().report().add(Plot.ranges("start: until ready", "ms", ranges));
    }

    private static void add(List<Starts.Start> starts, Table table, Map<String, Spread> ranges) {
        String agent = starts.get(0).agent().name();
        ranges.put(agent, Spread.of(starts, Starts.Start::ms));
        table.add(agent, starts.size(), ranges.get(agent), Spread.of(starts, Starts.Start::residentMib));
    }
}
