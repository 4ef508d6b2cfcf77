package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Call;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Network;
import io.dubbomesh.chaos.site.Network.Way;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.FaultyProxy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static io.dubbomesh.chaos.site.Site.pause;

/** Packets that are lost, late or few, and peers that are gone without a word. */
public final class NetworkRows {
    private static final double NS_PER_S = 1e9;

    private static final double DEAD_SECONDS = 3;

    private static final int MEGABIT = 125_000;
    private static final int LARGE = 1_000_000;

    private NetworkRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                                "F5",
                                "silent partition between the consumer agent and one of three provider agents (nft drop,"
                                        + " both ways 60 s, then each way alone)",
                                "told in 3 s; other calls all right",
                                NetworkRows::partition)
                        .within(180),
                Row.of(
                        "F6",
                        "a provider agent's machine gone without a FIN (its veth deleted)",
                        "as F5; the sockets freed in 5 s",
                        NetworkRows::unplugged),
                Row.of(
                                "F7",
                                "1 % and 5 % loss; 100 +/- 50 ms; 1 Mbit/s with bodies of 1 MB; RST at random; slices of"
                                        + " 1 byte; between the agents and before the provider",
                                "0 lost, wrong, crossed or twice; errors only 502, 503, 504; none by delay, slices or 1"
                                        + " Mbit/s",
                                NetworkRows::badNetwork)
                        .within(240),
                Row.of(
                                "F10",
                                "heap of 64 MiB, bodies of 900 KB through a stalled path; the process paused for 2 s",
                                "no OutOfMemoryError, the agents live, good calls beside them all answered and right",
                                NetworkRows::stalledPath)
                        .within(150));
    }

    private static void partition(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).onHosts().start();
        Load load = mesh.load(Workload.rate(150));
        pause(2);
        Map<Way, Long> cutsNs = new EnumMap<>(Way.class);
        Map<Way, Double> back = new EnumMap<>(Way.class);
        for (Way way : Way.values()) {
            cutsNs.put(way, System.nanoTime());
            site.network().drop(mesh.agent(1).host(), way);
            pause(way == Way.BOTH ? site.seconds(60) : 8);
            site.network().heal();
            back.put(way, secondsUntilCalled(mesh, 1));
            pause(1);
        }
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers());
        cutsNs.forEach((way, cutNs) -> {
            Calls failed = calls.between(cutNs, cutNs + (long) (8 * NS_PER_S)).failed();
            String name = way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            figures.atMost(name + ": s until told", (failed.lastEndNs(cutNs) - cutNs) / NS_PER_S, DEAD_SECONDS)
                    .atMost(name + ": failed", failed.count(), 50 * DEAD_SECONDS + 10)
                    .atMost(name + ": s until called again", back.get(way), 10);
        });
        // What fails later would fail by a probe of the dead path.
        figures.note("failed in all " + calls.failed().count());
    }

    /** Until this provider has executed more calls than now; while a load runs. */
    private static double secondsUntilCalled(Mesh mesh, int number) throws Exception {
        int before = mesh.provider(number).executions().count();
        return Wait.seconds(20, () -> mesh.provider(number).executions().count() > before);
    }

    private static void unplugged(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 3).onHosts().start();
        Load load = mesh.load(Workload.rate(150));
        pause(2);
        Host host = mesh.agent(1).host();
        long before = Network.connectionsTo(mesh.agent(1));
        long goneNs = System.nanoTime();
        site.network().unplug(host);
        double freed = Wait.seconds(20, () -> Network.connectionsTo(mesh.agent(1)) == 0);
        pause(6);
        Calls calls = load.stop();
        Calls failed = calls.failed();
        figures.nothingLost(calls, mesh.providers())
                .atLeast("connections before", before, 1)
                .atMost("s until told", (failed.lastEndNs(goneNs) - goneNs) / NS_PER_S, DEAD_SECONDS)
                .atMost("failed", failed.count(), 50 * DEAD_SECONDS + 10)
                .atMost("s until its sockets were freed", freed, 5);
    }

    private static void badNetwork(Site site, Figures figures) throws Exception {
        Mesh far = Mesh.of(site, 1).onHosts().start();
        Mesh near = Mesh.of(site, 1).etcd(0).withProxies().start();
        Calls all = new Calls(List.of());

        for (int percent : List.of(1, 5)) {
            site.network().lose(far.agent(0).host(), percent);
            Calls calls = far.call(Workload.rate(100), site.seconds(12));
            site.network().heal();
            add(figures, percent + " % loss", calls);
            figures.nothingLost(calls, far.providers());
        }
        for (int hop = 0; hop < 2; hop++) {
            FaultyProxy proxy = hop == 0 ? near.link(0) : near.dubboConnection(0);
            String name = hop == 0 ? "between the agents: " : "before the provider: ";

            proxy.delay(Duration.ofMillis(100), Duration.ofMillis(50));
            Calls delayed = near.call(Workload.rate(100), site.seconds(12));
            figures.none(name + "failed by delay", delayed.failed().count());
            proxy.heal();

            proxy.slice(1);
            Calls sliced = near.call(Workload.rate(100), site.seconds(8));
            figures.none(name + "failed by slices", sliced.failed().count());
            proxy.heal();

            Load load = near.load(Workload.rate(100));
            for (int i = 0; i < 6; i++) {
                pause(0.5 + i % 3 / 4.0);
                proxy.cut();
            }
            pause(1);
            Calls reset = load.stop();
            add(figures, name + "RST", reset);

            proxy.throttle(MEGABIT);
            Calls large = near.call(Workload.closed(2).parameters(LARGE).timeout(Duration.ofSeconds(50)), 5);
            figures.none(
                    name + "failed of " + large.count() + " at 1 Mbit/s",
                    large.failed().count());
            proxy.heal();
            pause(1);
            all = all.and(delayed).and(sliced).and(reset).and(large);
        }
        figures.nothingLost(all, near.providers());
    }

    private static void add(Figures figures, String name, Calls calls) {
        Calls failed = calls.failed();
        Calls otherwise = failed.where(call -> call.status() < 502 || call.status() > 504);
        figures.note(name + ": failed " + failed.count() + " of " + calls.count())
                .none(name + ": failed otherwise than with 502 to 504", otherwise.count());
    }

    private static void stalledPath(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2)
                .withProxies()
                .consumer("-Xms64m", "-Xmx64m")
                .agents("-Xms64m", "-Xmx64m")
                .start();
        Load good = mesh.load(Workload.rate(80));
        pause(2);
        double before = mesh.consumer().rssMib();
        mesh.link(1).stall();
        Load large = mesh.load(Workload.rate(60).parameters(900_000).connections(500));
        pause(site.seconds(16));
        Calls largeCalls = large.stop();
        mesh.link(1).resume();
        pause(3);
        long pausedNs = System.nanoTime();
        mesh.consumer().freeze();
        pause(2);
        mesh.consumer().thaw();
        pause(4);
        Calls goodCalls = good.stop();
        // Those that were in flight on the stalled link when it was stalled, or chose it until it was told to be dead.
        Calls failed = goodCalls.until(pausedNs).failed();
        figures.nothingLost(goodCalls.and(largeCalls), mesh.providers())
                .holds(
                        "the agents live",
                        mesh.consumer().isAlive()
                                && mesh.agent(0).isAlive()
                                && mesh.agent(1).isAlive())
                .none(
                        "OutOfMemoryErrors",
                        Figures.linesWith(mesh.consumer().log(), "OutOfMemory")
                                + Figures.linesWith(mesh.agent(0).log(), "OutOfMemory"))
                .note("large: " + largeCalls.statuses())
                .note("good: " + goodCalls.statuses())
                .atMost("good calls failed", failed.count(), 80 * DEAD_SECONDS / 2 + 10)
                .none("unanswered", goodCalls.where(Call::isLost).count())
                .none("failed by the pause", goodCalls.from(pausedNs).failed().count())
                .note("consumer agent %.0f MiB, %.0f before"
                        .formatted(mesh.consumer().rssMib(), before));
    }
}
