package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What each step is worth that the entries of 2018 took from a plain pair of agents to a fast one. */
final class Ladder implements Scenario {
    private static final int CONSUMER_PORT = 21_500;
    private static final int PROVIDER_PORT = 31_500;
    private static final String PACKAGE = "io.dubbomesh.benchmark.ladder.";

    private static final int CONTEST_PROVIDERS = 3;
    private static final int CONTEST_DELAY_MS = 50;

    /** How a side is started once it is known to be wanted. */
    private interface Starter {
        Side start(String name) throws IOException, InterruptedException, BenchException;
    }

    @Override
    public Map<String, String> defaults() {
        return Map.of();
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        session.installation().jar("benchmark/ladder");
        int compared =
                compare(session, "ladder, each step taken back alone", 0, 1, ladder(session, LadderSteps.eachAlone()))
                        + compare(session, "ladder, step upon step", 0, 1, climb(session))
                        + compare(session, "ladder, settings of the agents", 0, 1, settings(session))
                        + compare(session, "ladder, weights", CONTEST_DELAY_MS, CONTEST_PROVIDERS, weights(session));
        if (compared == 0) {
            throw new BenchException("--sides: none of them is there");
        }
    }

    /** Returns how many sides there were. */
    private static int compare(Session session, String title, int delayMs, int providers, Map<String, Starter> starters)
            throws IOException, InterruptedException, BenchException {
        starters.keySet().removeIf(name -> !session.options().wants(name));
        if (starters.isEmpty()) {
            return 0;
        }
        session.startProviders(providers, delayMs);
        List<Side> sides = new ArrayList<>();
        for (Map.Entry<String, Starter> starter : starters.entrySet()) {
            sides.add(starter.getValue().start(starter.getKey()));
        }
        session.compare(title, delayMs, sides, session.points());
        session.stage().stopAll();
        return sides.size();
    }

    private static Map<String, Starter> ladder(Session session, Map<String, List<String>> arguments) {
        Map<String, Starter> starters = new LinkedHashMap<>();
        arguments.forEach((name, list) -> {
            int index = starters.size();
            starters.put(name, side -> startLadder(session, side, index, list));
        });
        return starters;
    }

    private static Map<String, Starter> climb(Session session) {
        Map<String, Starter> starters = ladder(session, LadderSteps.climb());
        starters.put("mesh", side -> startMesh(session, side, 1, LadderSteps.leakDetection(false)));
        return starters;
    }

    private static Side startLadder(Session session, String name, int index, List<String> arguments)
            throws IOException, InterruptedException, BenchException {
        int providerPort = PROVIDER_PORT + index;
        int consumerPort = CONSUMER_PORT + index;
        Program provider =
                start(session, "LadderProvider", providerPort, arguments, "-Ddubbo.port=" + Stage.dubboPort(0));
        Program consumer = start(
                session, "LadderConsumer", consumerPort, arguments, "-Dproviders=127.0.0.1:" + providerPort + ":1");
        session.state(name + ": " + String.join(" ", arguments));
        return new Side(
                name,
                Stage.url(consumerPort),
                session.installation().script("form.lua"),
                Map.of(),
                List.of(consumer, provider),
                session.stage().shared());
    }

    private static Program start(Session session, String main, int port, List<String> arguments, String callee)
            throws IOException, InterruptedException, BenchException {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(
                "-Dserver.port=" + port,
                callee,
                "-cp",
                session.installation().jar("benchmark/ladder").toString(),
                PACKAGE + main));
        return session.stage().startListeningJava(main, port, all);
    }

    /** Those steps that are settings of the real agents. */
    private static Map<String, Starter> settings(Session session) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("agents", "-Dio.transport=epoll");
        options.put("agents-nio", "-Dio.transport=nio");
        options.put("agents-no-delay-off", "-Dtcp.no-delay=false");
        options.put("agents-quick-ack", "-Dtcp.quick-ack=true");
        options.put("agents-leak-detection-off", LadderSteps.leakDetection(false));
        Map<String, Starter> starters = new LinkedHashMap<>();
        options.forEach((name, option) -> {
            int index = 1 + starters.size();
            starters.put(name, side -> startMesh(session, side, index, option));
        });
        return starters;
    }

    private static Side startMesh(Session session, String name, int index, String option)
            throws IOException, InterruptedException, BenchException {
        MeshSettings settings = MeshSettings.of(index)
                .withRoomFor(session.options().mostConnections())
                .withBoth(option);
        return session.startMesh(name, settings);
    }

    /** How the calls are spread over three providers of 200 threads, as the contest has them; the agents' own limits hold. */
    private static Map<String, Starter> weights(Session session) {
        Map<String, Starter> starters = new LinkedHashMap<>();
        starters.put(
                "random",
                side -> session.startMesh(
                        side, MeshSettings.of(1).withWeights(1, 1, 1).withConsumer("-Dlb=weighted-random")));
        starters.put("1:2:3", side -> session.startMesh(side, MeshSettings.of(2).withWeights(1, 2, 3)));
        starters.put("1:2:2", side -> session.startMesh(side, MeshSettings.of(3).withWeights(1, 2, 2)));
        return starters;
    }
}
