package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Network;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.chaos.site.ZooKeeper;
import io.dubbomesh.testsupport.FaultyProxy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.dubbomesh.chaos.site.Site.pause;

/** A gateway, a ZooKeeper in which providers register themselves, and no provider agent. */
public final class ZooKeeperRows {
    private static final int WARM_UP_SECONDS = 4;

    private static final int MANY_SERVICES = 1_000;
    private static final int CALLED_SERVICES = 3;
    private static final int ENDPOINTS = 10;
    private static final int CHANGED_SERVICES = 100;
    private static final int CHANGES = 18;

    /**
     * While the gateway runs code for the first time, its compilers take the processors that it shares with the load
     * and with ZooKeeper.
     */
    private static final int FIRST_CHANGES = 6;

    /** The last endpoint of each service is there, and what is sent to it is lost. */
    private static final String LOST = "127.99.0.0/16";

    private ZooKeeperRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                                "E10",
                                "ZooKeeper killed for 60 s under 500/s; then a gateway cut off from it for 20 s while one of three"
                                        + " Dubbo providers ends and another one comes; no provider agents",
                                "0 failed; 5 s after the cut the gateway lists and calls the right ones",
                                ZooKeeperRows::away)
                        .within(240),
                Row.of(
                                "E11",
                                "ZooKeeper with 1,000 services of 10 endpoints, a tenth of which swallow packets; 3 services"
                                        + " are called; 1,000 endpoints change at once, 18 times",
                                "ready in 2 s; connections as with 3 services, memory at most 1.2 times; 0 failed; the longest"
                                        + " call during a change (median of the last 12) at most 20 ms",
                                ZooKeeperRows::large)
                        .within(240));
    }

    private static void away(Site site, Figures figures) throws Exception {
        ZooKeeper zooKeeper = site.zooKeeper();
        List<Part> providers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            providers.add(site.registeringProvider("provider-" + i, zooKeeper));
        }
        for (Part provider : providers.subList(0, 3)) {
            provider.start();
        }
        for (Part provider : providers.subList(0, 3)) {
            provider.awaitReady();
        }
        FaultyProxy cable = site.proxy(site.port(), zooKeeper.node().port());
        Part gateway = site.gateway("gateway", "zookeeper://127.0.0.1:" + cable.port(), List.of());
        gateway.restart();
        site.call(Workload.closed(12), WARM_UP_SECONDS, gateway);

        Load load = site.load(Workload.rate(500), gateway);
        pause(1);
        zooKeeper.node().kill();
        pause(site.seconds(60));
        zooKeeper.node().restart();
        // The providers keep their sessions.
        pause(site.seconds(8));

        Part goes = providers.get(0);
        Part comes = providers.get(3);
        int cutSeconds = site.seconds(20);
        cable.stall();
        long cutNs = System.nanoTime();
        comes.start();
        boolean ended = goes.end(15) < 15;
        int executedByTheOneThatEnded = goes.executions().count();
        comes.awaitReady();
        // Longer than the session of the gateway, which is 10 s.
        pause(Math.max(0, cutSeconds - (System.nanoTime() - cutNs) / 1e9));
        int before = comes.executions().count();
        cable.resume();
        cable.cut();
        double called = Wait.seconds(30, () -> comes.executions().count() > before);
        double right = called + Wait.seconds(30, () -> lists(gateway, comes) && !lists(gateway, goes));
        pause(1);
        Calls calls = load.stop();
        figures.nothingLost(calls, providers)
                .none("failed", calls.failed().count())
                .holds("the one that was told to ended", ended)
                .none("calls to it after its end", goes.executions().count() - executedByTheOneThatEnded)
                .none("calls to the new one during the cut", before)
                .atMost("s until the new one is called", called, 5)
                .atMost("s until the right ones are listed", right, 5);
    }

    private static boolean lists(Part gateway, Part provider) throws Exception {
        return gateway.admin("/api/v1/endpoints")
                .contains("\"" + provider.host().address() + ":" + provider.port() + "\"");
    }

    private static void large(Site site, Figures figures) throws Exception {
        Part provider = site.stubProvider("provider", Host.HOME, List.of("-Dhost=0.0.0.0", "-Ddelay.ms=0"));
        provider.restart();
        site.network().drop(LOST);
        ZooKeeper zooKeeper = site.zooKeeper();
        try (ZooKeeper.Client client = zooKeeper.connect()) {
            for (int i = 0; i < MANY_SERVICES; i++) {
                client.add("/dubbo", service(i), urls(i, provider.port(), 100));
            }
            for (int i = 0; i < CALLED_SERVICES; i++) {
                client.add("/few", service(i), urls(i, provider.port(), 100));
            }

            // One loop each: the figures do not depend on the machine's processors then.
            Part few = site.gateway("gateway-of-few", zooKeeper.uri(Host.HOME) + "/few", List.of("-Dio.threads=1"));
            double readyOfFew = secondsToStart(few);
            callAll(site, few);
            long connectionsOfFew = Network.connectionsTo(provider.port());
            double memoryOfFew = few.rssMib();
            few.end(15);

            Part many = site.gateway("gateway", zooKeeper.uri(Host.HOME), List.of("-Dio.threads=1"));
            double ready = secondsToStart(many);
            long connectionsBefore = Network.connectionsTo(provider.port());
            callAll(site, many);
            long connections = Network.connectionsTo(provider.port());
            double memory = many.rssMib();

            double[] longestMs = new double[CHANGES];
            double longestBeforeMs = 0;
            int changed = 0;
            Calls all = null;
            for (int change = 0; change < CHANGES; change++) {
                Load load =
                        site.load(Workload.rate(200).connections(4).service(service(change % CALLED_SERVICES)), many);
                pause(1.5);
                long changeNs = System.nanoTime();
                CountDownLatch done = new CountDownLatch(CHANGED_SERVICES);
                for (int i = 0; i < CHANGED_SERVICES; i++) {
                    client.replace(
                            "/dubbo",
                            service(i),
                            urls(i, provider.port(), 100 + change),
                            urls(i, provider.port(), 101 + change),
                            done);
                }
                changed += done.await(20, TimeUnit.SECONDS) ? 1 : 0;
                pause(1.5);
                Calls calls = load.stop();
                // The first calls of a load open its connections.
                longestBeforeMs = Math.max(
                        longestBeforeMs,
                        calls.between(changeNs - 1_000_000_000, changeNs).good().percentileMs(100));
                longestMs[change] = calls.from(changeNs).good().percentileMs(100);
                all = all == null ? calls : all.and(calls);
            }
            double[] firstMs = Arrays.copyOf(longestMs, FIRST_CHANGES);
            double[] laterMs = Arrays.copyOfRange(longestMs, FIRST_CHANGES, CHANGES);
            Arrays.sort(firstMs);
            Arrays.sort(laterMs);
            figures.nothingLost(all, List.of(provider))
                    .none("failed", all.failed().count())
                    .atMost("s until ready", ready, 2)
                    .note(String.format("with 3 services %.2f", readyOfFew))
                    .none("connections before a call", connectionsBefore)
                    .equal("connections", connections, connectionsOfFew)
                    .atMost("of the memory with 3 services", memory / memoryOfFew, 1.2)
                    .note(String.format("MiB %.1f and %.1f", memory, memoryOfFew))
                    .equal("changes made", changed, CHANGES)
                    .note(String.format("ms of the longest call before a change %.1f", longestBeforeMs))
                    .note(String.format("during the first 6 changes (median) %.1f", firstMs[firstMs.length / 2]))
                    .note(String.format("during the worst of the later ones %.1f", laterMs[laterMs.length - 1]))
                    .atMost("during a later change (median)", laterMs[laterMs.length / 2], 20);
        }
    }

    private static double secondsToStart(Part gateway) throws Exception {
        long startNs = System.nanoTime();
        gateway.restart();
        return (System.nanoTime() - startNs) / 1e9;
    }

    private static void callAll(Site site, Part gateway) throws Exception {
        for (int i = 0; i < CALLED_SERVICES; i++) {
            site.call(Workload.closed(4).service(service(i)), 2, gateway);
        }
    }

    private static String service(int number) {
        return "com.example.S" + number;
    }

    private static List<String> urls(int service, int port, int weight) {
        Stream<String> answering = IntStream.range(1, ENDPOINTS)
                .mapToObj(i -> "127." + (1 + service / 250) + "." + service % 250 + "." + i);
        Stream<String> silent = Stream.of("127.99." + service / 250 + "." + (1 + service % 250));
        return Stream.concat(answering, silent)
                .map(host -> "dubbo://" + host + ":" + port + "/" + service(service) + "?interface=" + service(service)
                        + "&application=large&dubbo=2.0.2&methods=hash&side=provider&timestamp=1795000000000&weight="
                        + weight)
                .toList();
    }
}
