package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.process.Program;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;

/** Starts a pair of agents, one after the other, and measures each until it is ready, including the registry. */
final class Starts {
    private static final int POLL_MS = 2;
    private static final int MAX_SECONDS = 30;
    private static final double NS_PER_MS = 1e6;
    private static final double US_PER_MS = 1e3;
    private static final double KIB_PER_MIB = 1024;

    private final Session session;
    private final String registry;

    /** @param settings of the mesh whose registry is used */
    Starts(Session session, MeshSettings settings) throws IOException, InterruptedException {
        this.session = session;
        registry = session.stage().registry(settings.index());
        session.harness().state("registry: " + registry);
    }

    /**
     * @param cpuMs       until it was ready
     * @param residentMib when it was ready
     */
    record Start(Program agent, double ms, double cpuMs, double residentMib) {}

    record Pair(Start consumerAgent, Start providerAgent) {}

    private interface Starter {
        Program start() throws IOException;
    }

    /** Starts both agents and stops them. */
    Pair startPair(MeshSettings settings) throws IOException, InterruptedException {
        Pair pair = start(settings);
        stop(pair);
        return pair;
    }

    void stop(Pair pair) throws InterruptedException {
        session.harness().programs().stop(pair.consumerAgent().agent());
        session.harness().programs().stop(pair.providerAgent().agent());
    }

    /** Starts both agents. */
    Pair start(MeshSettings settings) throws IOException, InterruptedException {
        Stage stage = session.stage();
        Start provider =
                start(Stage.providerAgentPort(settings, 0), () -> stage.startProviderAgent(settings, registry, 0));
        Start consumer = start(Stage.consumerPort(settings), () -> stage.startConsumerAgent(settings, registry));
        return new Pair(consumer, provider);
    }

    private Start start(int port, Starter starter) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        Program agent = starter.start();
        session.harness()
                .programs()
                .awaitHttp(agent, HttpRequest.newBuilder(URI.create(Stage.readiness(port))), MAX_SECONDS, POLL_MS);
        double ms = (System.nanoTime() - startNs) / NS_PER_MS;
        double cpuMs = agent.cpu().totalUs() / US_PER_MS;
        double residentMib = agent.rssKib() / KIB_PER_MIB;
        session.harness()
                .out()
                .printf("  %s: %.0f ms, %.0f ms of CPU, %.1f MiB%n", agent.name(), ms, cpuMs, residentMib);
        return new Start(agent, ms, cpuMs, residentMib);
    }
}
