package io.dubbomesh.benchmark.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Agents that run. */
record Mesh(String url, Program consumerAgent, List<Program> providerAgents) {
    List<Program> agents() {
        List<Program> agents = new ArrayList<>(List.of(consumerAgent));
        agents.addAll(providerAgents);
        return agents;
    }

    Side side(String name, Path script, List<Program> shared) {
        return new Side(name, url, script, Map.of(), agents(), shared);
    }
}
