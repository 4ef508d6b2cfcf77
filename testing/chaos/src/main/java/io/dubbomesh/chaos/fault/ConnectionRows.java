package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.SlowClients;
import io.dubbomesh.chaos.load.SlowClients.Ends;
import io.dubbomesh.chaos.load.SlowClients.Manner;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static io.dubbomesh.chaos.site.Site.pause;

/** More connections than clients need. */
public final class ConnectionRows {
    private static final int IDLE = 4_096;
    private static final int MAX_CONNECTIONS = 4_400;
    private static final int BEYOND = 1_000;
    private static final int STORM_PER_SECOND = 2_000;
    private static final int SYN_PER_SECOND = 5_000;
    private static final double CALLS_PER_SECOND = 200;

    private ConnectionRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "H12",
                "4,096 idle connections, 1,000 beyond http.max-connections, 2,000 connections a second that close at once, 5,000 SYN a"
                        + " second that go no further (hping3)",
                "at least 95 % of the usual calls beside each; those beyond refused in 1 s; as before 2 s later",
                ConnectionRows::connections));
    }

    private static void connections(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2)
                .consumer("-Dserver.host=0.0.0.0", "-Dhttp.max-connections=" + MAX_CONNECTIONS)
                .start();
        Part consumer = mesh.consumer();
        Load load = mesh.load(Workload.rate(CALLS_PER_SECOND).connections(40));
        pause(1);
        int seconds = site.seconds(6);
        long usualNs = System.nanoTime();
        pause(seconds);
        long idleNs = System.nanoTime();
        // They neither read nor come again.
        Manner silent = new Manner(new byte[0], 0, 0, 4096, 100, 0, false);
        Ends beyond;
        long beyondNs;
        try (SlowClients idle = SlowClients.start(consumer.address(), IDLE, STORM_PER_SECOND, silent)) {
            pause(seconds);
            beyondNs = System.nanoTime();
            try (SlowClients more = SlowClients.start(consumer.address(), BEYOND, silent)) {
                pause(1);
                beyond = more.ends();
            }
            figures.note("idle: " + idle.ends());
        }
        long stormNs = System.nanoTime();
        storm(consumer.address(), seconds);
        long synNs = System.nanoTime();
        Host stranger = site.network().addHost();
        site.network().floodWithSyn(stranger, consumer.port(), SYN_PER_SECOND, SYN_PER_SECOND * seconds);
        long overNs = System.nanoTime();
        pause(2);
        long laterNs = System.nanoTime();
        pause(seconds);
        Calls calls = load.stop();
        double usualMs = calls.between(usualNs, idleNs).percentileMs(99);
        figures.nothingLost(calls, mesh.providers())
                .atLeast("% of the calls beside idle connections", percent(calls, idleNs, beyondNs), 95)
                .atLeast("beside those beyond", percent(calls, beyondNs, stormNs), 95)
                .atLeast("beside 2,000 a second", percent(calls, stormNs, synNs), 95)
                .atLeast("beside the SYNs", percent(calls, synNs, overNs), 95)
                .atLeast(
                        "refused 1 s later, of " + BEYOND,
                        beyond.refused() + beyond.cut(),
                        BEYOND - (MAX_CONNECTIONS - IDLE))
                .atMost("ms p99 from 2 s after all of it", calls.from(laterNs).percentileMs(99), 2 * usualMs)
                .none("failed then", calls.from(laterNs).failed().count())
                .note("p99 %.1f ms before".formatted(usualMs));
    }

    /** Good ones of those that were due. */
    private static double percent(Calls calls, long fromNs, long untilNs) {
        Calls due = calls.between(fromNs, untilNs);
        return 100.0 * due.good().count() / due.count();
    }

    private static void storm(InetSocketAddress target, int seconds) throws Exception {
        long nextNs = System.nanoTime();
        for (int left = STORM_PER_SECOND * seconds; left > 0; left--) {
            new Socket(target.getAddress(), target.getPort()).close();
            nextNs += TimeUnit.SECONDS.toNanos(1) / STORM_PER_SECOND;
            LockSupport.parkNanos(nextNs - System.nanoTime());
        }
    }
}
