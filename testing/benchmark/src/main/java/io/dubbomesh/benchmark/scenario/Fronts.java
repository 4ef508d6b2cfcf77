package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.runtime.json.Json;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Consumer agents before the same provider agents, one for each strategy: only one has load at a time, so that they
 * take turns within a run.
 */
final class Fronts {
    private Fronts() {}

    /** A consumer agent with a strategy. */
    record Front(String strategy, int port) {
        InetSocketAddress target() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }

        /** Returns the calls that were sent to each endpoint since the start, in the order of their addresses. */
        List<Long> calls() throws IOException {
            String document;
            try (InputStream in =
                    URI.create(Stage.url(port + 1) + "/api/v1/counts").toURL().openStream()) {
                document = new String(in.readAllBytes(), UTF_8);
            }
            Map<String, Long> calls = new TreeMap<>();
            for (Object each : (List<?>) ((Map<?, ?>) Json.read(document)).get("endpoints")) {
                Map<?, ?> endpoint = (Map<?, ?>) each;
                calls.put((String) endpoint.get("id"), (Long) endpoint.get("calls"));
            }
            return List.copyOf(calls.values());
        }
    }

    /**
     * Starts an agent for each provider, and the consumer agents that the user wants.
     *
     * @param settings of all of them; those of the consumer agents have the next indexes
     */
    static List<Front> start(Session session, MeshSettings settings) throws IOException, InterruptedException {
        Stage stage = session.stage();
        String registry = stage.registry(settings.index());
        stage.startProviderAgents(settings, registry);
        List<Front> fronts = new ArrayList<>();
        for (String strategy : Strategy.settingNames()) {
            if (session.options().wants(strategy)) {
                MeshSettings ofFront =
                        settings.withIndex(settings.index() + fronts.size()).withConsumer("-Dlb=" + strategy);
                Program agent = stage.startConsumerAgent(ofFront, registry);
                stage.awaitAnswer(ofFront, agent);
                fronts.add(new Front(strategy, Stage.consumerPort(ofFront)));
            }
        }
        session.harness().state("a consumer agent for each strategy, before the same provider agents: " + settings);
        return fronts;
    }

    /** Returns them in the order of a round, which is reversed each time. */
    static List<Front> inOrder(List<Front> fronts, int round) {
        List<Front> ordered = new ArrayList<>(fronts);
        if (round % 2 == 0) {
            Collections.reverse(ordered);
        }
        return ordered;
    }

    /** Returns the calls between two counts; an endpoint may be new in the second. */
    static List<Long> difference(List<Long> before, List<Long> after) {
        List<Long> calls = new ArrayList<>();
        for (int i = 0; i < after.size(); i++) {
            calls.add(after.get(i) - (i < before.size() ? before.get(i) : 0));
        }
        return calls;
    }

    /** Returns the parts of the calls, in percent: {@code 40 20 20 20}. */
    static String shares(List<Long> before, List<Long> after) {
        List<Long> calls = difference(before, after);
        double all = calls.stream().mapToLong(Long::longValue).sum();
        return String.join(
                " ",
                calls.stream()
                        .map(of -> Long.toString(Math.round(100 * of / all)))
                        .toList());
    }
}
