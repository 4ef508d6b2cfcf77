package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.SlowClients;
import io.dubbomesh.chaos.load.SlowClients.Ends;
import io.dubbomesh.chaos.load.SlowClients.Manner;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Peak;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;
import static java.nio.charset.StandardCharsets.US_ASCII;

/** HTTP clients that take what an agent needs for others. */
public final class HttpRows {
    private static final int SLOW_CLIENTS = 1_000;
    private static final int CONNECTIONS_PER_SECOND = 500;
    /** A tenth of what http.min-body-rate demands. */
    private static final int SLOW_BYTES_PER_SECOND = 50;

    private static final int ANSWER = 64 * 1024;

    private static final int READ_PER_SECOND = 1024;

    private static final int UPLOADS = 200;
    private static final int UPLOADS_PER_SECOND = 10;

    private static final int OPEN_FILES = 256;
    private static final int IDLE_CLIENTS = 600;

    private HttpRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                        "H11",
                        "1,000 clients that never end a head, 1,000 that send a body at 50 B/s, 1,000 that read answers of 64 KiB at 1 KiB/s,"
                                + " 50 that upload 60 KB at 15 KB/s beside the last",
                        "the first closed in 6 s, the second in 14 s, as the last of them wait for room first; uploads and good calls right, the calls' p99 at most twice the usual; no wrong byte in what the last have read; memory at most 64 MiB up",
                        HttpRows::slowRequests),
                Row.of(
                        "H16",
                        "1,000 clients read answers of 64 KiB at 200 B/s; beside them 200 upload 60 KB at 15 KB/s, 10 a second",
                        "each reader is refused with 503 or cut by http.min-read-rate, within 45 s; every upload right;"
                                + " good calls right; memory at most 64 MiB up",
                        HttpRows::uploadsBesideSlowReaders),
                Row.of(
                        "H13",
                        "600 idle clients at a consumer agent that may have 256 open files",
                        "below half a core; calls of those who are connected right; new ones served 2 s after the clients left",
                        HttpRows::noOpenFilesLeft));
    }

    private static void slowRequests(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).start();
        Part consumer = mesh.consumer();
        Load load = mesh.load(Workload.rate(100).connections(20));
        // Slow readers are measured, and not the compilers.
        Ends whole;
        try (SlowClients fast = start(site, consumer, Manner.download(ANSWER, ANSWER * 10, 100))) {
            whole = fast.await(20);
        }
        long begunNs = System.nanoTime();
        pause(site.seconds(6));
        double before = consumer.rssMib();
        int filesBefore = consumer.openFiles();
        long startNs = System.nanoTime();
        // Each client would connect again: those of one request show when it ends.
        byte[] head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Le".getBytes(US_ASCII);
        SlowClients[] slow = new SlowClients[3];
        double[] seconds = new double[2];
        Uploads uploads = new Uploads(site, consumer);
        double most = Peak.of(consumer).during(() -> {
            slow[0] = start(site, consumer, new Manner(head, 0, 0, 4096, 500, 0, false));
            long headsNs = System.nanoTime();
            slow[1] = start(site, consumer, Manner.upload(SLOW_BYTES_PER_SECOND * 1000, 1000, 250));
            long bodiesNs = System.nanoTime();
            slow[2] = start(site, consumer, Manner.download(ANSWER, READ_PER_SECOND, 1000, 4096));
            slow[0].await(20);
            seconds[0] = (System.nanoTime() - headsNs) / 1e9;
            slow[1].await(20);
            seconds[1] = (System.nanoTime() - bodiesNs) / 1e9;
            uploads.run(50, UPLOADS_PER_SECOND);
        });
        long endNs = System.nanoTime();
        SlowClients bodies = slow[1];
        SlowClients readers = slow[2];
        readers.close();
        Wait.seconds(5, () -> consumer.openFiles() <= filesBefore);
        Ends ended = bodies.ends();
        Calls calls = load.stop();
        double usualMs = calls.between(begunNs, startNs).good().percentileMs(99);
        double besideMs = calls.between(startNs, endNs).good().percentileMs(99);
        figures.nothingLost(calls, mesh.providers())
                .none("good calls failed", calls.failed().count())
                .atMost("ms p99 beside them", besideMs, 2 * usualMs)
                .atMost("s until the heads were answered", seconds[0], 6)
                // memory.wait, http.body-timeout, and the second that 500 bytes are worth; then a second to be noticed.
                .atMost("s until the bodies were answered", seconds[1], 14)
                .atMost("MiB more, consumer agent", most - before, 64)
                .atMost("open files more", consumer.openFiles() - filesBefore, 5)
                .equal("uploads right", uploads.ends().good(), 50)
                .equal("whole answers of 64 KiB before, read fast", whole.good(), SLOW_CLIENTS)
                .none("of them wrong", whole.wrong())
                .atLeast("KiB of answers read slowly", readers.textBytes() / 1024.0, 1)
                .none("of these answers wrong", readers.ends().wrong())
                .note("p99 %.1f ms without them; bodies: %s; readers: %s".formatted(usualMs, ended, readers.ends()));
    }

    /** Buffers as long as those of a network: the loopback device has some that hold an answer as a whole. */
    private static void uploadsBesideSlowReaders(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).consumer("-Dtcp.send-buffer=16384").start();
        Part consumer = mesh.consumer();
        Load load = mesh.load(Workload.rate(100).connections(20));
        pause(2);
        double before = consumer.rssMib();
        SlowClients readers = start(site, consumer, Manner.download(ANSWER, 200, 1000, 4096));
        Uploads uploads = new Uploads(site, consumer);
        double[] seconds = new double[1];
        double most = Peak.of(consumer).during(() -> {
            long startNs = System.nanoTime();
            uploads.run(UPLOADS, UPLOADS_PER_SECOND);
            readers.await(60);
            seconds[0] = (System.nanoTime() - startNs) / 1e9;
        });
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("good calls failed", calls.failed().count())
                .note("uploads " + uploads.ends())
                .equal("uploads right", uploads.ends().good(), UPLOADS)
                .note("readers " + readers.ends())
                .none("readers left", readers.ends().present())
                .atLeast("readers cut", readers.ends().cut(), 1)
                .atMost("s until the last was", seconds[0], 45)
                .none("of their answers wrong", readers.ends().wrong())
                .atMost("MiB more, consumer agent", most - before, 64);
    }

    private static SlowClients start(Site site, Part consumer, Manner manner) throws Exception {
        return site.closed(SlowClients.start(consumer.address(), SLOW_CLIENTS, CONNECTIONS_PER_SECOND, manner));
    }

    private static void noOpenFilesLeft(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).start();
        Part consumer = mesh.consumer();
        Load load = mesh.load(Workload.rate(50).connections(10));
        pause(2);
        consumer.limitOpenFiles(OPEN_FILES);
        int most;
        double cpuSeconds;
        int seconds = site.seconds(8);
        try (SlowClients idle = SlowClients.start(consumer.address(), IDLE_CLIENTS, Manner.silent(new byte[0]))) {
            pause(1);
            double before = consumer.cpuSeconds();
            pause(seconds);
            cpuSeconds = consumer.cpuSeconds() - before;
            most = consumer.openFiles();
            figures.note("idle clients: " + idle.ends());
        }
        double recovered =
                Wait.seconds(10, () -> mesh.call(Workload.closed(1), 1).good().count() > 0);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("calls of connected clients failed", calls.failed().count())
                .atLeast("open files", most, OPEN_FILES - 2)
                .atMost("% of a core", 100 * cpuSeconds / seconds, 50)
                .holds("the agent lives", consumer.isAlive())
                .atMost("s until new clients are served", Math.max(0, recovered - 1), 2)
                .atMost(
                        "lines in the log for each second of it",
                        Figures.linesWith(consumer.log(), "Too many open files") / (double) seconds,
                        2);
    }
}
