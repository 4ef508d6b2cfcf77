package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.hostile.HostileHttp2Provider.Attack;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Peak;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.SingleCalls;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Network;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.chaos.site.ZooKeeper;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static io.dubbomesh.chaos.hostile.HostileHttp2Provider.begun;
import static io.dubbomesh.chaos.hostile.HostileHttp2Provider.data;
import static io.dubbomesh.chaos.hostile.HostileHttp2Provider.frame;
import static io.dubbomesh.chaos.hostile.HostileHttp2Provider.headers;
import static io.dubbomesh.chaos.site.Site.pause;

/** Providers of Triple that flood a gateway, which calls good ones on the same event loop. */
public final class HostileHttp2Rows {
    private static final String HOSTILE = "io.dubbomesh.chaos.Hostile";
    private static final Set<Integer> REFUSALS = Set.of(502, 503, 504);

    private static final int PRIORITY = 2;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PUSH_PROMISE = 5;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;

    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int LONGEST = 16 * 1024;
    /** Fields that are put into the table once, and named by one byte each: 48 MB in a block of 16 KiB. */
    private static final String UNFOLDING = "88 40 01 'a' 7fa11e" + "61".repeat(4_000) + "be".repeat(12_000);

    private HostileHttp2Rows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                        "P10",
                        "a provider of Triple floods a gateway of one event loop, each time it is connected to: CONTINUATION, blocks that"
                                + " unfold, SETTINGS, PING, windows, resets, GOAWAY, pushes, informational answers, content of one"
                                + " byte a frame, streams that are never answered; a good provider is called beside it",
                        "its calls 502, 503 or 504 by their deadline; good calls right, p99 at most 3 x that before + 5 ms; at most 60 %"
                                + " of a processor and 32 MiB more; called again 3 s after the last one",
                        HostileHttp2Rows::floods)
                .within(240));
    }

    private static List<Attack> attacks() {
        List<Attack> attacks = new ArrayList<>();
        attacks.add(Attack.flood("CONTINUATION", id -> headers(id, 0, "88"), id -> frame(CONTINUATION, 0, id, "")));
        attacks.add(Attack.flood(
                "long CONTINUATION",
                id -> headers(id, 0, "88"),
                id -> frame(CONTINUATION, 0, id, "00".repeat(LONGEST))));
        attacks.add(Attack.flood("blocks that unfold", id -> headers(id, END_HEADERS | END_STREAM, UNFOLDING)));
        attacks.add(Attack.flood(
                "fields of 16 KiB", id -> headers(id, END_HEADERS, "88 00 01 'a' 7ffa7e" + "61".repeat(LONGEST - 7))));
        attacks.add(Attack.flood("SETTINGS", id -> frame(SETTINGS, 0, 0, "")));
        attacks.add(Attack.flood(
                "SETTINGS of 2,730 windows",
                id -> frame(SETTINGS, 0, 0, ("0004" + Hex.u32(1) + "0004" + Hex.u32(65_535)).repeat(1_365))));
        attacks.add(Attack.flood("PING", id -> frame(PING, 0, 0, Hex.u64(1))));
        attacks.add(Attack.flood("PRIORITY", id -> frame(PRIORITY, 0, id, "00".repeat(5))));
        attacks.add(Attack.flood("WINDOW_UPDATE by 1", id -> frame(WINDOW_UPDATE, 0, 0, Hex.u32(1))));
        attacks.add(Attack.flood("windows beyond 2^31", id -> frame(WINDOW_UPDATE, 0, id, Hex.u32(Integer.MAX_VALUE))));
        attacks.add(Attack.flood("RST_STREAM", id -> frame(RST_STREAM, 0, id, Hex.u32(8))));
        attacks.add(Attack.once("each stream reset", id -> frame(RST_STREAM, 0, id, Hex.u32(7))));
        attacks.add(Attack.once("GOAWAY at once", id -> frame(GOAWAY, 0, 0, Hex.u64(0))));
        attacks.add(Attack.flood("GOAWAY", id -> frame(GOAWAY, 0, 0, Hex.u64((long) Integer.MAX_VALUE << 32))));
        attacks.add(Attack.flood("PUSH_PROMISE", id -> frame(PUSH_PROMISE, END_HEADERS, id, Hex.u32(2) + "88")));
        attacks.add(Attack.flood("103", id -> headers(id, END_HEADERS, "08 03 '103'")));
        attacks.add(Attack.flood("empty DATA", id -> begun(id, 100), id -> data(id, "")));
        attacks.add(Attack.flood("DATA of one byte", id -> begun(id, 8_000_000), id -> data(id, "00")));
        attacks.add(Attack.flood(
                "DATA without end", id -> begun(id, Integer.MAX_VALUE), id -> data(id, "00".repeat(LONGEST))));
        attacks.add(Attack.once("a message of 8 MB that does not come", id -> begun(id, 8_000_000)));
        attacks.add(
                Attack.once("half a frame", id -> headers(id, END_HEADERS, "88").substring(0, 12)));
        attacks.add(Attack.silent("no stream permitted", frame(SETTINGS, 0, 0, "0003" + Hex.u32(0))));
        attacks.add(Attack.silent("no window for a request", frame(SETTINGS, 0, 0, "0004" + Hex.u32(0))));
        attacks.add(Attack.flood("unknown frames", id -> frame(0x77, 0xff, id, "00")));
        return attacks;
    }

    private static void floods(Site site, Figures figures) throws Exception {
        Part provider = site.stubProvider("provider", Host.HOME, List.of("-Dprotocol=tri", "-Ddelay.ms=5"));
        provider.restart();
        HostileHttp2Provider hostile = site.closed(new HostileHttp2Provider());
        ZooKeeper zooKeeper = site.zooKeeper();
        try (ZooKeeper.Client client = zooKeeper.connect()) {
            client.add("/dubbo", Workload.SERVICE, List.of(url(Workload.SERVICE, provider.port())));
            client.add("/dubbo", HOSTILE, List.of(url(HOSTILE, hostile.port())));
        }
        Part gateway = site.gateway("gateway", zooKeeper.uri(Host.HOME), List.of("-Dio.threads=1"));
        gateway.restart();
        site.call(Workload.closed(8), 4, gateway);
        Wait.seconds(5, () -> isAnsweredWithSeven(gateway));

        Load good = site.load(Workload.rate(100).connections(16), gateway);
        pause(site.seconds(8));
        long beginNs = System.nanoTime();
        double before = gateway.rssMib();
        double idleShare = share(gateway, site.seconds(8));
        List<Attack> attacks = attacks();
        double most = Peak.of(gateway).during(() -> {
            double mostShare = 0;
            String busiest = "";
            int otherwise = 0;
            int idle = 0;
            double slowestMs = 0;
            double slowestAgain = 0;
            StringBuilder bad = new StringBuilder();
            for (Attack attack : attacks) {
                hostile.attackWith(attack);
                // Long enough requests to use up a window.
                Load calls = site.load(
                        Workload.rate(20).service(HOSTILE).parameters(5_000).timeout(Duration.ofSeconds(1)), gateway);
                double used = share(gateway, 3) - idleShare;
                Calls ended = calls.stop();
                if (used > mostShare) {
                    mostShare = used;
                    busiest = attack.name();
                }
                idle += hostile.attacked() == 0 ? 1 : 0;
                int wrong =
                        ended.where(call -> !REFUSALS.contains(call.status())).count();
                otherwise += wrong;
                if (wrong > 0 || used > 30) {
                    bad.append("; ")
                            .append(attack.name())
                            .append(" %.0f %%: ".formatted(used))
                            .append(ended.statuses());
                }
                slowestMs = Math.max(slowestMs, ended.percentileMs(100));
                hostile.attackWith(null);
                slowestAgain = Math.max(slowestAgain, Wait.seconds(20, () -> isAnsweredWithSeven(gateway)));
            }
            figures.note(attacks.size() + " attacks")
                    .none("of them that nothing was connected to", idle)
                    .none("hostile calls answered otherwise than with 502 to 504", otherwise)
                    .atMost("ms for the slowest of them", slowestMs, 1_100)
                    .atMost("% of a processor more, most (" + busiest + ")", mostShare, 60)
                    .atMost("s until it is called again", slowestAgain, 3)
                    .note("above 30 %" + bad);
        });
        pause(1);
        Calls calls = good.stop();
        double p99 = calls.until(beginNs).percentileMs(99);
        figures.nothingLost(calls, List.of(provider))
                .none("good calls failed", calls.failed().count())
                .atMost("their p99 ms", calls.from(beginNs).percentileMs(99), 3 * p99 + 5)
                .note("before %.1f".formatted(p99))
                .atMost("MiB more", most - before, 32)
                .atMost("connections to it afterwards", Network.connectionsTo(hostile.port()), 1)
                .equal("right of 20 calls afterwards", SingleCalls.rightAnswers(gateway, 20), 20);
    }

    private static String url(String service, int port) {
        return "tri://127.0.0.1:" + port + "/" + service + "?interface=" + service
                + "&application=hostile&dubbo=2.0.2&release=3.3.6&methods=hash&side=provider&timestamp=1795000000000";
    }

    /** Returns the processor time of so many seconds, in percent of these. */
    private static double share(Part part, double seconds) throws Exception {
        double from = part.cpuSeconds();
        long startNs = System.nanoTime();
        pause(seconds);
        return 100 * (part.cpuSeconds() - from) / ((System.nanoTime() - startNs) / 1e9);
    }

    private static boolean isAnsweredWithSeven(Part gateway) throws Exception {
        String form = "interface=" + HOSTILE + "&method=hash&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=x";
        HttpAnswer answer = HttpSocket.once(
                gateway.port(), HttpSocket.request("POST /", form, "Content-Type: application/x-www-form-urlencoded"));
        return answer.text().equals("7");
    }
}
