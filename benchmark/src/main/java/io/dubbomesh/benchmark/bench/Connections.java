package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Many clients that keep their connections, idle or with a call now and then: what each costs the consumer agent. */
final class Connections implements Scenario {
    private static final int[] CALLS_PER_SECOND = {0, 1};
    private static final int WARMUP_CONNECTIONS = 64;

    /** Files that the agent has open besides: jars, links, the event loops' own. */
    private static final int OTHER_FILES = 256;

    private static final int CONNECT_SECONDS = 120;
    private static final int CLOSING_SECONDS = 120;
    private static final double BYTES_PER_KIB = 1024;
    private static final double US_PER_MS = 1e3;

    /** The consumer agent's memory when nothing is under way. */
    private record Memory(long rssKib, long heapKib, long directKib) {
        static Memory of(Program agent) throws IOException, InterruptedException {
            // First, since it collects.
            long heapKib = Jcmd.liveHeapKib(agent);
            return new Memory(agent.rssKib(), heapKib, Jcmd.directKib(agent));
        }
    }

    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "100,1000,5000,10000,20000", "warmup", "10");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        List<Integer> possible = possible(session);
        session.state("For each row a new consumer agent, first under load for "
                + session.options().warmupSeconds()
                + " s; bytes per connection are the growth since then, heap and resident"
                + " memory behind a full collection. With -XX:NativeMemoryTracking=summary.");
        Table table = new Table(
                "connections: the consumer agent",
                "connections",
                "calls/s of each",
                "RSS B/connection",
                "heap B/connection",
                "direct B/connection",
                "RSS MiB",
                "CPU % of a core",
                "p50 ms",
                "p99 ms",
                "max ms",
                "errors");
        for (int connections : possible) {
            for (int rate : CALLS_PER_SECOND) {
                measure(session, table, connections, rate);
                session.stage().stopAll();
            }
        }
        session.report().add(table);
    }

    private static List<Integer> possible(Session session) throws IOException, BenchException {
        long files = ProcStat.openFilesLimit() - OTHER_FILES;
        for (int connections : session.options().connections()) {
            if (connections > files) {
                session.state(connections + " connections: not measured, " + (connections + OTHER_FILES)
                        + " open files are needed (ulimit -n is " + ProcStat.openFilesLimit() + ")");
            }
        }
        List<Integer> possible = session.options().connections().stream()
                .filter(connections -> connections <= files)
                .toList();
        if (possible.isEmpty()) {
            throw new BenchException("ulimit -n: too few open files for any of these numbers of connections");
        }
        return possible;
    }

    private static void measure(Session session, Table table, int connections, int rate)
            throws IOException, InterruptedException, BenchException {
        session.stage().startProviders(1, 0);
        Mesh mesh = session.stage()
                .startMesh(MeshSettings.of(0)
                        .withRoomFor(connections)
                        .withConsumer("-Dhttp.idle-timeout=600 s")
                        .withJvmFlags("-XX:NativeMemoryTracking=summary"));
        Program agent = mesh.consumerAgent();
        Side side = mesh.side("mesh", session.installation().script("form.lua"), List.of());
        new Wrk(session.programs())
                .load(side, Point.of(WARMUP_CONNECTIONS), session.options().warmupSeconds());
        Memory before = Memory.of(agent);
        Program load = startLoad(session, connections, rate);
        session.programs().awaitOutput(load, "connected", CONNECT_SECONDS);
        CpuTime cpu = agent.cpu();
        int seconds = session.options().seconds();
        TimeUnit.SECONDS.sleep(seconds);
        double cpuPercent = agent.cpu().minus(cpu).totalUs() / 1e4 / seconds;
        session.programs().awaitOutput(load, "paused", CLOSING_SECONDS);
        Memory with = Memory.of(agent);
        try (OutputStream go = load.process().getOutputStream()) {
            go.write('\n');
        }
        LoadResult result = LoadResult.parse(session.programs().finish(load, CLOSING_SECONDS));
        session.report().failOnErrors(connections + " connections", result);
        table.add(
                connections,
                rate,
                perConnection(with.rssKib() - before.rssKib(), connections),
                perConnection(with.heapKib() - before.heapKib(), connections),
                perConnection(with.directKib() - before.directKib(), connections),
                with.rssKib() / BYTES_PER_KIB,
                cpuPercent,
                result.p50Us() / US_PER_MS,
                result.p99Us() / US_PER_MS,
                result.maxUs() / US_PER_MS,
                result.errors());
        session.out()
                .printf(
                        "  %d connections, %d calls/s: %.0f bytes of RSS per connection, p99 %.2f ms, %d errors%n",
                        connections,
                        rate,
                        perConnection(with.rssKib() - before.rssKib(), connections),
                        result.p99Us() / US_PER_MS,
                        result.errors());
    }

    private static Program startLoad(Session session, int connections, int rate) throws IOException, BenchException {
        return session.programs()
                .start(
                        "connections-load",
                        Installation.java(
                                List.of("-XX:+UseSerialGC", "-Xmx1g"),
                                List.of(
                                        "-Dport=" + Stage.consumerPort(MeshSettings.of(0)),
                                        "-Dconnections=" + connections,
                                        "-Drate=" + rate,
                                        "-Dseconds=" + session.options().seconds(),
                                        "-Dpause=true",
                                        "-cp",
                                        session.installation().jar("benchmark").toString(),
                                        "io.dubbomesh.benchmark.connections.ConnectionsLoad")));
    }

    private static double perConnection(long kib, int connections) {
        return kib * BYTES_PER_KIB / connections;
    }
}
