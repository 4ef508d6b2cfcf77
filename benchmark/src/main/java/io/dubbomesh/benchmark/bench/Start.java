package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From the start of each agent's process until it says that it is ready, the registry included. */
final class Start implements Scenario {
    private static final int POLL_MS = 2;
    private static final int MAX_SECONDS = 30;
    private static final double NS_PER_MS = 1e6;
    private static final double KIB_PER_MIB = 1024;

    /** One start of one agent. */
    private record Sample(double ms, double rssMib) {}

    /** How an agent is started. */
    private interface Starter {
        Program start() throws IOException, BenchException;
    }

    @Override
    public Map<String, String> defaults() {
        return Map.of("rounds", "10");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        Stage stage = session.stage();
        MeshSettings settings = MeshSettings.of(0);
        session.startProviders(0);
        String registry = stage.registry(settings.index());
        session.state("registry: " + registry);
        Map<String, List<Sample>> samples = new LinkedHashMap<>();
        for (int round = 1; round <= session.options().rounds(); round++) {
            Program providerAgent = start(
                    session,
                    samples,
                    Stage.providerAgentPort(settings, 0),
                    () -> stage.startProviderAgent(settings, registry, 0));
            Program consumerAgent = start(
                    session, samples, Stage.consumerPort(settings), () -> stage.startConsumerAgent(settings, registry));
            session.programs().stop(consumerAgent);
            session.programs().stop(providerAgent);
        }
        report(session.report(), samples);
    }

    private static Program start(Session session, Map<String, List<Sample>> samples, int port, Starter starter)
            throws IOException, InterruptedException, BenchException {
        long startNs = System.nanoTime();
        Program agent = starter.start();
        session.programs().awaitHttp(agent, Stage.readiness(port), MAX_SECONDS, POLL_MS);
        Sample sample = new Sample((System.nanoTime() - startNs) / NS_PER_MS, agent.rssKib() / KIB_PER_MIB);
        samples.computeIfAbsent(agent.name(), name -> new ArrayList<>()).add(sample);
        session.out().printf("  %s: %.0f ms, %.1f MiB%n", agent.name(), sample.ms(), sample.rssMib());
        return agent;
    }

    private static void report(Report report, Map<String, List<Sample>> samples) {
        Table table = new Table("start: until /readyz answers 200", "agent", "starts", "ms", "RSS MiB then");
        BarChart chart = new BarChart("start: until ready", "ms");
        samples.forEach((agent, list) -> {
            Spread ms = Spread.of(list.stream().map(Sample::ms).toList());
            table.add(
                    agent,
                    list.size(),
                    ms,
                    Spread.of(list.stream().map(Sample::rssMib).toList()));
            chart.bar(agent, agent).part(agent, ms.median()).spread(ms);
        });
        report.add(table);
        report.add(chart);
    }
}
