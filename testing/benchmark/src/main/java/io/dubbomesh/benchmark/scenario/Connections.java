package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Harness;
import io.dubbomesh.benchmark.load.LoadResult;
import io.dubbomesh.benchmark.load.Point;
import io.dubbomesh.benchmark.load.Side;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.CpuTime;
import io.dubbomesh.benchmark.process.Jcmd;
import io.dubbomesh.benchmark.process.ProcStat;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Many clients that keep their connections, idle or with a call now and then: what each costs the consumer agent. */
final class Connections {
    private static final int WARMUP_CONNECTIONS = 64;

    /** Other files that the agent has open: jars, links, those of the event loops. */
    private static final int OTHER_FILES = 256;

    private static final int CHECK_SECONDS = 2;
    private static final int CONNECT_SECONDS = 20;
    /** The time for the answers of jcmd, in seconds. */
    private static final int MEMORY_SECONDS = 5;

    /** The rate of the calls that end a round in which the connections were idle. */
    private static final int CLOSING_CALLS_PER_SECOND = 2_000;

    private static final double BYTES_PER_KIB = 1024;
    private static final double US_PER_MS = 1e3;

    private Connections() {}

    static Scenario scenario() {
        return new Scenario(Map.of("--connections", "100,1000,5000,10000,20000", "--warmup", "10"), Connections::run);
    }

    /** Memory of the consumer agent after a full collection. */
    private record Memory(long rssKib, long heapKib, long directKib) {
        static Memory of(Program agent) throws IOException, InterruptedException {
            // First, since it collects.
            long heapKib = Jcmd.liveHeapKib(agent);
            return new Memory(agent.rssKib(), heapKib, Jcmd.directKib(agent));
        }
    }

    private static void run(Session session) throws IOException, InterruptedException {
        session.harness()
                .state("For each row a new consumer agent, first under load for "
                        + session.options().plan().warmupSeconds()
                        + " s; bytes per connection are the growth since then, heap and resident memory after a full"
                        + " collection. Idle connections make one call each afterwards. With"
                        + " -XX:NativeMemoryTracking=summary.");
        Table table = new Table(
                "connections: the consumer agent",
                "connections | calls/s of each | RSS B/connection | heap B/connection | direct "
                        + "B/connection | RSS MiB | CPU % of a core | p50 ms | p99 ms | max ms | errors");
        for (int connections : possible(session)) {
            for (boolean idle : new boolean[] {true, false}) {
                measure(session, table, connections, idle);
                session.stage().stopAll();
            }
        }
        session.harness().report().add(table);
    }

    private static List<Integer> possible(Session session) throws IOException {
        long limit = ProcStat.openFilesLimit() - OTHER_FILES;
        List<Integer> all = session.options().connections;
        List<Integer> possible =
                all.stream().filter(connections -> connections <= limit).toList();
        if (possible.isEmpty()) {
            throw new BenchException("ulimit -n: too few open files for any of these numbers of connections");
        }
        if (possible.size() < all.size()) {
            session.harness().state("not measured: more than " + limit + " connections, because of ulimit -n");
        }
        return possible;
    }

    private static void measure(Session session, Table table, int connections, boolean idle)
            throws IOException, InterruptedException {
        session.stage().startProviders(1, 0);
        MeshSettings settings = MeshSettings.of(0)
                .withRoomFor(connections)
                .withConsumer("-Dhttp.idle-timeout=600 s")
                .withJvmFlags("-XX:NativeMemoryTracking=summary");
        Side mesh = session.stage().startMesh("mesh", settings);
        Program agent = mesh.programs().get(0);
        Harness harness = session.harness();
        Point warmup = Point.of(WARMUP_CONNECTIONS);
        harness.wrk().load(mesh, warmup, session.options().plan().warmupSeconds());
        harness.check(mesh, warmup, CHECK_SECONDS);
        Memory before = Memory.of(agent);

        int seconds = session.options().plan().seconds();
        int quiet = CONNECT_SECONDS + seconds + MEMORY_SECONDS;
        int closing = idle ? 1 + connections / CLOSING_CALLS_PER_SECOND : 0;
        // A call each second on average.
        String delaysMs = idle ? quiet * 1000 + "-" + (quiet + closing) * 1000 : "0-2000";
        Point point = new Point(connections + " connections", connections, Map.of("DELAY", delaysMs));
        long accepted = ProcStat.acceptedConnections();
        Program load = harness.wrk().start(mesh, point, quiet + closing + 1);
        awaitAccepted(accepted + connections);
        CpuTime cpu = agent.cpu();
        TimeUnit.SECONDS.sleep(seconds);
        double cpuPercent = agent.cpu().minus(cpu).totalUs() / 1e4 / seconds;
        Memory with = Memory.of(agent);
        LoadResult result = harness.wrk().finish(load, quiet + closing + 1);
        result.failOnErrors(harness.report(), point.label());
        table.add(
                connections,
                idle ? 0 : 1,
                (with.rssKib() - before.rssKib()) * BYTES_PER_KIB / connections,
                (with.heapKib() - before.heapKib()) * BYTES_PER_KIB / connections,
                (with.directKib() - before.directKib()) * BYTES_PER_KIB / connections,
                with.rssKib() / BYTES_PER_KIB,
                cpuPercent,
                result.p50Us() / US_PER_MS,
                result.p99Us() / US_PER_MS,
                result.maxUs() / US_PER_MS,
                result.errors());
        String line = "  %s, %s: p99 %.2f ms, %d errors%n";
        harness.out()
                .printf(line, point.label(), idle ? "idle" : "1 call/s", result.p99Us() / US_PER_MS, result.errors());
    }

    /** Until this network namespace has accepted so many connections. */
    private static void awaitAccepted(long count) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_SECONDS);
        while (ProcStat.acceptedConnections() < count) {
            if (System.nanoTime() - endNs > 0) {
                throw new BenchException("not all connections were open after " + CONNECT_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
