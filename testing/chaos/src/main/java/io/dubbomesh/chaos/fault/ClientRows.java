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
import io.dubbomesh.chaos.site.Site;

import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/** Clients that are slow, silent or do not read, in numbers. */
public final class ClientRows {
    private static final int MIB = 1024 * 1024;

    /** A parameter that, with the other fields, keeps within the limit of a body. */
    private static final int LARGE = 1_000_000;

    private static final int DEAF_CLIENTS = 1_000;

    private ClientRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                        "O5",
                        "1,000 clients that send and never read; a provider agent that never reads",
                        "memory at most 128 MiB up; good calls right; the clients closed in 30 s",
                        ClientRows::deafClients),
                Row.of(
                                "O6",
                                "2,000 clients upload 1 MB slowly and 500 read 1 MiB answers slowly; then 16,000 and 1,000",
                                "no good call fails; memory at most 64 MiB up; no OutOfMemoryError; throughput afterwards"
                                        + " as before",
                                ClientRows::slowClients)
                        .within(300),
                Row.of(
                        "O8",
                        "20 clients read a 1 MiB answer at 30 KB/s",
                        "none is cut or wrong",
                        ClientRows::steadyReaders));
    }

    private static void deafClients(Site site, Figures figures) throws Exception {
        // Buffers of a fixed size do not hold all answers of a client. A client whose answers they hold is idle for the
        // agent.
        Mesh mesh = Mesh.of(site, 2)
                .consumer("-Dtcp.send-buffer=65536", "-Dhttp.idle-timeout=20 s")
                .start();
        Load load = mesh.load(Workload.rate(100).connections(50));
        pause(2);
        double before = mesh.consumer().rssMib();
        int filesBefore = mesh.consumer().openFiles();
        site.closed(SlowClients.start(mesh.consumer().address(), DEAF_CLIENTS, Manner.deaf(4, 100_000)));
        // Their calls come all at once, which is an overload for a moment.
        pause(3);
        long servedNs = System.nanoTime();
        pause(3);
        long frozenNs = System.nanoTime();
        mesh.agent(1).freeze();
        Load large = mesh.load(Workload.rate(20).parameters(100_000));
        double most = Peak.of(mesh.consumer()).during(() -> pause(4));
        mesh.agent(1).thaw();
        Calls largeCalls = large.stop();
        long thawedNs = System.nanoTime();
        // The write timeout, counted from the last byte that a client took.
        most = Math.max(
                most,
                Peak.of(mesh.consumer())
                        .during(() ->
                                Wait.seconds(45, () -> mesh.consumer().openFiles() - filesBefore < DEAF_CLIENTS / 10)));
        double seconds = (System.nanoTime() - thawedNs) / 1e9;
        int left = mesh.consumer().openFiles() - filesBefore;
        Calls calls = load.stop();
        Calls beside = calls.between(servedNs, frozenNs);
        figures.nothingLost(calls.and(largeCalls), mesh.providers())
                .atMost("% of the good calls failed beside the clients", beside.failedPercent(), 1)
                .note("in all " + calls.statuses())
                .note(left + " connections left")
                .atMost("MiB more, consumer agent", most - before, 128)
                .atMost("s until nine of ten clients were closed", seconds, 30);
    }

    private static void slowClients(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).consumer("-Dhttp.max-connections=20000").start();
        double throughput = throughput(site, mesh);
        double before = mesh.consumer().rssMib();
        slowClients(site, figures, mesh, 2_000, 500, before);
        figures.atLeast("% of the throughput before", 100 * throughput(site, mesh) / throughput, 90);
        slowClients(site, figures, mesh, 16_000, 1_000, before);
        figures.atLeast("% of the throughput before", 100 * throughput(site, mesh) / throughput, 90)
                .holds(
                        "the agents live",
                        mesh.consumer().isAlive() && mesh.agent(0).isAlive())
                .none(
                        "OutOfMemoryErrors",
                        Figures.linesWith(mesh.consumer().log(), "OutOfMemory")
                                + Figures.linesWith(mesh.agent(0).log(), "OutOfMemory"));
    }

    private static double throughput(Site site, Mesh mesh) throws Exception {
        int seconds = site.seconds(8);
        return mesh.call(Workload.closed(16), seconds).good().count() / (double) seconds;
    }

    private static void slowClients(Site site, Figures figures, Mesh mesh, int uploads, int downloads, double before)
            throws Exception {
        int seconds = site.seconds(40);
        int tickMs = uploads > 5_000 ? 2_000 : 500;
        Load load = mesh.load(Workload.rate(100));
        Ends uploaded;
        Ends downloaded;
        double most;
        try (SlowClients writing = SlowClients.start(
                        mesh.consumer().address(), uploads, Manner.upload(LARGE, 2 * seconds, tickMs));
                SlowClients reading = SlowClients.start(
                        mesh.consumer().address(), downloads, Manner.download(MIB, MIB / seconds, tickMs))) {
            most = Peak.of(mesh.consumer()).during(() -> pause(seconds));
            uploaded = writing.ends();
            downloaded = reading.ends();
        }
        pause(1);
        Calls calls = load.stop();
        String name = uploads + " + " + downloads + ": ";
        figures.nothingLost(calls, mesh.providers())
                .none(name + "good calls failed", calls.failed().count())
                .note(name + "good calls " + calls.statuses())
                .atMost(name + "MiB more, consumer agent", most - before, 64)
                .none(name + "downloads wrong", downloaded.wrong())
                .note(name + "uploads " + uploaded + "; downloads " + downloaded);
    }

    private static void steadyReaders(Site site, Figures figures) throws Exception {
        // Small buffers of the system: what they do not hold waits in the agent.
        Mesh mesh = Mesh.of(site, 1).consumer("-Dtcp.send-buffer=16384").start();
        List<SlowClients> readers = new ArrayList<>();
        // 0: the system's, in which a part of the answer waits.
        for (int receiveBuffer : List.of(0, 4 * 1024, 16 * 1024, 256 * 1024)) {
            readers.add(site.closed(
                    SlowClients.start(mesh.consumer().address(), 5, Manner.download(MIB, 30_000, 200, receiveBuffer))));
        }
        int good = 0;
        int cut = 0;
        int wrong = 0;
        for (SlowClients each : readers) {
            Ends ends = each.await(50);
            good += ends.good();
            cut += ends.cut();
            wrong += ends.wrong();
        }
        figures.equal("whole answers", good, 20).none("cut", cut).none("wrong", wrong);
    }
}
