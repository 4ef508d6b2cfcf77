package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Change;
import io.dubbomesh.benchmark.load.Comparison;
import io.dubbomesh.benchmark.load.Plan;
import io.dubbomesh.benchmark.load.Point;
import io.dubbomesh.benchmark.load.Round;
import io.dubbomesh.benchmark.load.Side;
import io.dubbomesh.benchmark.load.Usage;
import io.dubbomesh.benchmark.process.GcLog;
import io.dubbomesh.benchmark.process.Machine;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.report.Table;
import io.dubbomesh.transport.socket.Transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scenarios that put several sides under the same load. */
final class Comparisons {
    private static final int DUBBO_DELAY_MS = 50;
    private static final int PROXY_PORT = 27_000;
    private static final int SECOND_PROXY_PORT = 27_001;
    private static final int ANSWERING_PORT = 27_002;
    private static final String DIRECT = "direct";
    private static final String DIRECT_TRIPLE = "direct-tri";
    private static final int KEPT_CONNECTIONS = 60;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final double US_PER_MS = 1e3;

    private static final List<Integer> DEPTHS = List.of(1, 16, 256);
    private static final List<String> TRANSPORTS = List.of("epoll", "io_uring", "nio");
    private static final int MAX_LOOPS = 2;

    private Comparisons() {}

    static Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        // With a shorter warm-up the compilers are still at work in the first round.
        Map<String, String> longer = Map.of("--connections", "64,512", "--seconds", "20", "--warmup", "30");
        Map<String, String> contest = new LinkedHashMap<>(longer);
        contest.put("--connections", "128,256,512");
        contest.put("--weights", "112,200,200");
        contest.put("--provider", "dubbo");
        scenarios.put("contest", new Scenario(contest, Comparisons::contest));
        scenarios.put("saturate", new Scenario(longer, Comparisons::saturate));
        scenarios.put("reference", new Scenario(Map.of("--connections", "64,512"), Comparisons::reference));
        scenarios.put("security", new Scenario(Map.of("--connections", "64,512"), Security::compare));
        scenarios.put("pipeline", new Scenario(Map.of("--connections", "256"), Comparisons::pipeline));
        scenarios.put("sizes", new Scenario(Map.of("--connections", "16"), Comparisons::sizes));
        scenarios.put("transport", new Scenario(Map.of("--connections", "64,512,4096"), Comparisons::transport));
        scenarios.put("rates", new Scenario(Map.of("--connections", "50,250,500"), Comparisons::rates));
        scenarios.put("front", new Scenario(Map.of("--connections", "64"), Comparisons::front));
        scenarios.put("gc", new Scenario(Map.of("--xmx", "64m"), Comparisons::gc));
        return scenarios;
    }

    /** The load of the 2018 Dubbo Mesh benchmark. */
    private static void contest(Session session) throws IOException, InterruptedException {
        session.startProviders(DUBBO_DELAY_MS);
        List<Side> sides = new ArrayList<>(List.of(session.startMesh("mesh", MeshSettings.of(0))));
        session.addBaseline(sides);
        session.compare("contest", DUBBO_DELAY_MS, sides, session.options().points());
    }

    /** Measures how much one pair of agents can carry when the provider costs next to nothing. */
    private static void saturate(Session session) throws IOException, InterruptedException {
        Options options = session.options();
        if (options.before == null) {
            session.compare("saturate", 0, List.of(session.startRoomyMesh(0)), options.points());
            return;
        }
        session.startProviders(0);
        // Neither has the index 0: both need the same kind of registry.
        MeshSettings settings = MeshSettings.of(1).withRoomFor(options.mostConnections());
        Side before = session.startMesh(Change.BEFORE, settings.withAgentsOf(options.before));
        settings = MeshSettings.of(2).withRoomFor(options.mostConnections());
        Side after = session.startMesh(Change.AFTER, settings);
        session.harness().state(Change.BEFORE + ": the agents of " + Machine.commit(options.before));
        Comparison comparison = session.compare("saturate", 0, List.of(before, after), options.points());
        if (comparison.hasSides(Change.BEFORE, Change.AFTER)) {
            session.harness().report().add(Change.table(comparison, Change.BEFORE, Change.AFTER));
        }
    }

    /**
     * Beside a consumer agent that does the work of both, by Dubbo 2 and by Triple, the least that a pair of agents can
     * do, and a well-known reverse proxy.
     */
    private static void reference(Session session) throws IOException, InterruptedException {
        List<Side> sides = new ArrayList<>(List.of(session.startRoomyMesh(0)));
        if (session.options().wants(DIRECT)) {
            MeshSettings settings =
                    MeshSettings.of(1).withRoomForDirect(session.options().mostConnections());
            sides.add(session.stage().startDirect(DIRECT, settings));
            session.harness().state(DIRECT + ": a consumer agent that calls the providers without provider agents");
        }
        if (session.options().wants(DIRECT_TRIPLE)) {
            MeshSettings settings =
                    MeshSettings.of(2).withRoomForDirect(session.options().mostConnections());
            sides.add(session.stage().startDirectTriple(DIRECT_TRIPLE, settings, 0));
            session.harness().state(DIRECT_TRIPLE + ": the same by Triple, from providers of its own");
        }
        session.addBaseline(sides);
        if (session.options().wants("nginx")) {
            int kept = 2 * session.options().mostConnections();
            Nginx nginx = new Nginx(session.harness().programs());
            Program answering = nginx.startAnswering("nginx-answer", ANSWERING_PORT);
            Program proxy = nginx.startProxy("nginx-proxy", PROXY_PORT, ANSWERING_PORT, kept);
            Map<String, String> environment = Map.of("ANSWER", Nginx.ANSWER);
            sides.add(new Side("nginx", Stage.url(PROXY_PORT), environment, List.of(proxy), List.of(answering)));
            session.harness()
                    .state("nginx: a proxy with one worker process in front of another nginx with one, which answers \""
                            + Nginx.ANSWER + "\"; connections are kept alive on both sides, up to " + kept);
        }
        Comparison comparison =
                session.compare("reference", 0, sides, session.options().points());
        if (comparison.hasSides(DIRECT, DIRECT_TRIPLE)) {
            session.harness().report().add(Change.table(comparison, DIRECT, DIRECT_TRIPLE));
        }
    }

    /** Several requests in one write. */
    private static void pipeline(Session session) throws IOException, InterruptedException {
        Options options = session.options();
        List<Point> points = new ArrayList<>();
        for (int connections : options.connections) {
            for (int depth : DEPTHS) {
                String label = "depth " + depth + ", " + connections + " connections";
                points.add(new Point(label, connections, Map.of("DEPTH", Integer.toString(depth))));
            }
        }
        int mostCalls = options.mostConnections() * DEPTHS.get(DEPTHS.size() - 1);
        session.startProviders(0);
        Side mesh = session.startMesh("mesh", MeshSettings.of(0).withRoomFor(mostCalls));
        session.compare("pipeline", 0, List.of(mesh), points);
    }

    /** Parameters from a few bytes to a megabyte. */
    private static void sizes(Session session) throws IOException, InterruptedException {
        Map<String, String> sizes = new LinkedHashMap<>();
        sizes.put("10 B", "10");
        sizes.put("1 KB", "1000");
        sizes.put("100 KB", "100000");
        sizes.put("1 MB", "1000000");
        List<Point> points = new ArrayList<>();
        for (int connections : session.options().connections) {
            sizes.forEach((label, size) -> points.add(
                    new Point(label + ", " + connections + " connections", connections, Map.of("SIZE", size))));
        }
        MeshSettings settings = MeshSettings.of(0)
                .withRoomFor(session.options().mostConnections())
                .withConsumer("-Dhttp.max-body=2097152")
                .withJvmFlags("-XX:MaxDirectMemorySize=512m");
        session.startProviders(0);
        session.compare("sizes", 0, List.of(session.startMesh("mesh", settings)), points);
    }

    /** Measures which transport and how many event loops the agents should use on this machine. */
    private static void transport(Session session) throws IOException, InterruptedException {
        for (int delayMs : new int[] {0, DUBBO_DELAY_MS}) {
            List<Side> sides = new ArrayList<>();
            session.startProviders(delayMs);
            // From 1 on, so that all have the same kind of registry.
            int index = 1;
            for (String transport : TRANSPORTS) {
                for (int loops = 1; loops <= MAX_LOOPS; loops++) {
                    String name = transport + "-" + loops;
                    if (session.options().wants(name) && isAvailable(transport, session)) {
                        String[] settings = {"-Dio.transport=" + transport, "-Dio.threads=" + loops};
                        sides.add(session.startMesh(
                                name,
                                MeshSettings.of(index++)
                                        .withRoomFor(session.options().mostConnections())
                                        .withConsumer(settings)
                                        .withProvider(settings)));
                    }
                }
            }
            String title = "transport, " + delayMs + " ms a call";
            session.compare(title, delayMs, sides, session.options().points());
            session.stage().stopAll();
        }
    }

    /** Measures a request's cost where the machine is not full: nearly every event wakes an event loop. */
    private static void rates(Session session) throws IOException, InterruptedException {
        session.startProviders(DUBBO_DELAY_MS);
        List<Side> sides = new ArrayList<>();
        for (int loops = 1; loops <= MAX_LOOPS; loops++) {
            String threads = "-Dio.threads=" + loops;
            MeshSettings settings = MeshSettings.of(loops)
                    .withRoomFor(session.options().mostConnections())
                    .withConsumer(threads)
                    .withProvider(threads);
            sides.add(session.startMesh("mesh-" + loops, settings));
        }
        session.addBaseline(sides);
        session.compare("rates", DUBBO_DELAY_MS, sides, session.options().points());
    }

    private static boolean isAvailable(String transport, Session session) {
        try {
            Transport.of(transport);
            return true;
        } catch (IllegalArgumentException e) {
            session.harness().state("not measured: " + e.getMessage());
            return false;
        }
    }

    /** nginx in front of the consumer agent, which keeps its connections or opens one for each request. */
    private static void front(Session session) throws IOException, InterruptedException {
        Side mesh = session.startRoomyMesh(0);
        List<Side> sides = List.of(
                behindNginx(session, mesh, "keepalive", PROXY_PORT, KEPT_CONNECTIONS),
                behindNginx(session, mesh, "closed", SECOND_PROXY_PORT, 0));
        session.harness()
                .state("keepalive: nginx with keepalive " + KEPT_CONNECTIONS
                        + ", HTTP/1.1 and an empty Connection header; closed: nginx's default, HTTP/1.0");
        Comparison comparison =
                session.compare("front", 0, sides, session.options().points());
        Table table = new Table(
                "front: connections from nginx to the consumer agent: those accepted in this network namespace minus wrk's",
                "round | load | side | opened | requests | mean latency ms");
        for (Round round : comparison.rounds()) {
            table.add(
                    round.number(),
                    round.point().label(),
                    round.side(),
                    round.acceptedConnections() - round.point().connections(),
                    round.load().requests(),
                    round.load().meanUs() / US_PER_MS);
        }
        session.harness().report().add(table);
    }

    private static Side behindNginx(Session session, Side mesh, String name, int port, int kept)
            throws IOException, InterruptedException {
        int agentPort = Stage.consumerPort(MeshSettings.of(0));
        List<Program> programs = new ArrayList<>(mesh.programs());
        Nginx nginx = new Nginx(session.harness().programs());
        programs.add(0, nginx.startProxy("nginx-" + name, port, agentPort, kept));
        return new Side(name, Stage.url(port), mesh.environment(), programs, mesh.shared());
    }

    /** Measures how often and how long a small heap is collected under a steady load. */
    private static void gc(Session session) throws IOException, InterruptedException {
        Options options = session.options();
        Side mesh = session.startRoomyMesh(DUBBO_DELAY_MS);
        Plan plan = new Plan(options.plan().warmupSeconds(), 1, options.minutes * SECONDS_PER_MINUTE);
        List<Point> points = List.of(Point.of(options.mostConnections()));
        Comparison comparison = session.compare("gc", DUBBO_DELAY_MS, List.of(mesh), points, plan);
        session.harness().report().add(stops(comparison.rounds().get(0)));
    }

    private static Table stops(Round round) {
        Table table = new Table(
                "gc: %,d requests in %,d s"
                        .formatted(round.load().requests(), round.load().durationUs() / 1_000_000),
                "agent | collections | pauses ms | longest pause ms | safepoints | safepoints ms | "
                        + "allocated B/request");
        for (Usage usage : round.usages().subList(0, round.own())) {
            GcLog.Stops stops = usage.stops();
            table.add(
                    usage.program(),
                    stops.collections(),
                    stops.pauseMs(),
                    stops.longestPauseMs(),
                    stops.safepoints(),
                    stops.safepointMs(),
                    (double) usage.allocatedBytes() / round.load().requests());
        }
        return table;
    }
}
