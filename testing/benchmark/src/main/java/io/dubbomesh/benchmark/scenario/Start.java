package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.report.Plot;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The time from the start of each agent's process until it is ready, including the registry. */
final class Start {
    private static final int POLL_MS = 2;
    private static final int MAX_SECONDS = 30;
    private static final double NS_PER_MS = 1e6;
    private static final double KIB_PER_MIB = 1024;

    private final Session session;
    private final Map<String, List<Double>> ms = new LinkedHashMap<>();
    private final Map<String, List<Double>> rssMib = new LinkedHashMap<>();

    private Start(Session session) {
        this.session = session;
    }

    static Scenario scenario() {
        return new Scenario(Map.of("--rounds", "10"), session -> new Start(session).run());
    }

    private interface Starter {
        Program start() throws IOException;
    }

    private void run() throws IOException, InterruptedException {
        Stage stage = session.stage();
        MeshSettings settings = MeshSettings.of(0);
        session.startProviders(0);
        String registry = stage.registry(settings.index());
        session.harness().state("registry: " + registry);
        for (int round = session.options().plan().rounds(); round > 0; round--) {
            Program providerAgent =
                    start(Stage.providerAgentPort(settings, 0), () -> stage.startProviderAgent(settings, registry, 0));
            Program consumerAgent =
                    start(Stage.consumerPort(settings), () -> stage.startConsumerAgent(settings, registry));
            session.harness().programs().stop(consumerAgent);
            session.harness().programs().stop(providerAgent);
        }
        Table table = new Table("start: until /readyz answers 200", "agent | starts | ms | RSS MiB then");
        Map<String, Spread> ranges = new LinkedHashMap<>();
        ms.forEach((agent, list) -> {
            ranges.put(agent, Spread.of(list));
            table.add(agent, list.size(), ranges.get(agent), Spread.of(rssMib.get(agent)));
        });
        session.harness().report().add(table);
        session.harness().report().add(Plot.ranges("start: until ready", "ms", ranges));
    }

    private Program start(int port, Starter starter) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        Program agent = starter.start();
        session.harness()
                .programs()
                .awaitHttp(agent, HttpRequest.newBuilder(URI.create(Stage.readiness(port))), MAX_SECONDS, POLL_MS);
        double tookMs = (System.nanoTime() - startNs) / NS_PER_MS;
        double mib = agent.rssKib() / KIB_PER_MIB;
        ms.computeIfAbsent(agent.name(), name -> new ArrayList<>()).add(tookMs);
        rssMib.computeIfAbsent(agent.name(), name -> new ArrayList<>()).add(mib);
        session.harness().out().printf("  %s: %.0f ms, %.1f MiB%n", agent.name(), tookMs, mib);
        return agent;
    }
}
