package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Stranger;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Peak;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.SingleCalls;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.chaos.site.Site.pause;

/** Peers at the mesh port who may be there, and break its protocol. */
public final class HostilePeerRows {
    private static final String HELLO = MeshFrame.hello(0, 0);
    private static final int VERSION_AT = 4;
    private static final int RESERVED_AT = 12;
    private static final int LENGTH_AT = 40;
    private static final int HEADER = 48;

    private static final String NAMES = MeshFrame.names(Workload.SERVICE, "hash", "Ljava/lang/String;", "", "");
    private static final int MAX_FRAME = (8 << 20) + (64 << 10);
    private static final int FLOODS = 10;

    private HostilePeerRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "P6",
                "peers at the mesh port: wrong magic, version, lengths, types, ids twice, half a frame and silence; then ten that flood"
                        + " PINGs, unknown calls and calls with answers of 1 MiB, and never read",
                "each closed in 5 s; good calls right; memory at most 32 MiB up, 64 MiB by unread answers;"
                        + " then 20 of 20 calls right, no files more",
                HostilePeerRows::brokenProtocol));
    }

    /** The digits of a frame with others from there on. */
    private static String with(String frame, int at, String digits) {
        return frame.substring(0, at) + digits + frame.substring(at + digits.length());
    }

    private static String ofLength(String frame, int length) {
        return with(frame.substring(0, HEADER), LENGTH_AT, Hex.u32(length));
    }

    /** Returns the bytes that each sends; nothing follows them. */
    private static Map<String, String> broken() {
        String call = MeshFrame.request(1, 0, MeshFrame.FORM, Hex.u32(5_000) + "0000" + NAMES + Hex.u32(0));
        String define = MeshFrame.define(1, NAMES);
        Map<String, String> broken = new LinkedHashMap<>();
        broken.put("magic", with(HELLO, 0, "d3e6"));
        broken.put("version 2", with(HELLO, VERSION_AT, "02"));
        broken.put("no common version", with(HELLO, HEADER, "0109"));
        broken.put("reserved bits", with(HELLO, RESERVED_AT, "0001"));
        broken.put("HELLO of -1", ofLength(HELLO, -1));
        broken.put("HELLO of 2^31-1", ofLength(HELLO, Integer.MAX_VALUE));
        broken.put("HELLO of 4,363", ofLength(HELLO, 4_363));
        broken.put("half a header", HELLO.substring(0, 20));
        broken.put("HELLO twice", HELLO + HELLO);
        broken.put("half a header behind it", HELLO + call.substring(0, 20));
        broken.put("silence behind it", HELLO);
        broken.put("type 99", HELLO + MeshFrame.frame(99, 0, 0, 0, 0, ""));
        broken.put("flag 0x80", HELLO + with(call, 10, "80"));
        broken.put("PING of 1", HELLO + MeshFrame.frame(MeshFrame.PING, 0, 0, 0, 0, "00"));
        broken.put("PING of 2^31-1", HELLO + ofLength(MeshFrame.ping(), Integer.MAX_VALUE));
        broken.put("REQUEST of -1", HELLO + ofLength(call, -1));
        broken.put("REQUEST of 2^31-1", HELLO + ofLength(call, Integer.MAX_VALUE));
        broken.put("REQUEST beyond mesh.max-frame", HELLO + ofLength(call, MAX_FRAME));
        broken.put("REQUEST of 8 MiB that ends early", HELLO + ofLength(call, 8 << 20) + "00".repeat(1000));
        broken.put("REQUEST of 5", HELLO + MeshFrame.request(1, 0, MeshFrame.FORM, "0000000000"));
        broken.put("method id never defined", HELLO + MeshFrame.request(1, 7, MeshFrame.FORM, Hex.u32(5_000) + "0000"));
        broken.put("method id twice", HELLO + define + define);
        broken.put("method id 2^31-1", HELLO + MeshFrame.define(Integer.MAX_VALUE, NAMES));
        broken.put("a RESPONSE", HELLO + MeshFrame.response(1, 0, 1, "", "x"));
        return broken;
    }

    private static void brokenProtocol(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).start();
        Part agent = mesh.agent(0);
        Load load = mesh.load(Workload.rate(50));
        pause(2);
        double before = agent.rssMib();
        int filesBefore = agent.openFiles();
        double most = Peak.of(agent).during(() -> {
            Map<String, String> broken = broken();
            double longest = 0;
            String slowest = "";
            for (Map.Entry<String, String> each : broken.entrySet()) {
                double seconds = Stranger.secondsUntilClosed(agent.address(), Hex.bytes(each.getValue()));
                if (seconds > longest) {
                    longest = seconds;
                    slowest = each.getKey();
                }
            }
            figures.note(broken.size() + " breaches")
                    .atMost("s until closed, longest (" + slowest + ")", longest, 5)
                    .equal("answers to two calls with one id", answersToOneIdTwice(agent), 2);
        });
        figures.atMost("MiB more", most - before, 32);
        int files = agent.openFiles();
        long floodsNs = System.nanoTime();
        double mostOfFloods = Peak.of(agent).during(() -> {
            flood(site, agent);
            Wait.seconds(5, () -> agent.openFiles() >= files + FLOODS);
            figures.atLeast("floods", agent.openFiles() - files, FLOODS);
            // Not the floods themselves are looked at: who is not read learns late that the other end is gone.
            Wait.seconds(30, () -> agent.openFiles() <= files);
            figures.atMost("s until all were closed", (System.nanoTime() - floodsNs) / 1e9, 5);
        });
        figures.atMost("MiB more by the floods", mostOfFloods - before, 64);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("good calls failed", calls.failed().count())
                .note("their p99 %.1f ms, %.1f before the floods"
                        .formatted(
                                calls.from(floodsNs).percentileMs(99),
                                calls.until(floodsNs).percentileMs(99)))
                .equal("right of 20 calls afterwards", SingleCalls.rightAnswers(mesh.consumer(), 20), 20)
                .atMost("open files more", agent.openFiles() - filesBefore, 0);
    }

    private static int answersToOneIdTwice(Part agent) throws Exception {
        String call =
                MeshFrame.request(1, 0, MeshFrame.FORM, Hex.u32(5_000) + "0000" + NAMES + Hex.u32(1) + Hex.text("a"));
        int right = 0;
        try (MeshConnection peer = MeshConnection.connect(agent.port())) {
            peer.exchangeHellos();
            peer.send(call + call);
            for (int i = 0; i < 2; i++) {
                right += peer.read().document().equals(Integer.toString("a".hashCode())) ? 1 : 0;
            }
        }
        return right;
    }

    private static void flood(Site site, Part agent) throws Exception {
        String unknown = MeshFrame.request(
                1,
                0,
                MeshFrame.FORM,
                Hex.u32(5_000) + "0000" + MeshFrame.names("io.dubbomesh.chaos.NotServed", "a", "", "", ""));
        String large = MeshFrame.request(
                1,
                0,
                MeshFrame.FORM,
                Hex.u32(30_000)
                        + "0000"
                        + MeshFrame.names(Workload.SERVICE, "text", "Ljava/lang/String;", "", "")
                        + Hex.u32(7)
                        + Hex.text("1048576"));
        byte[] hello = Hex.bytes(HELLO);
        byte[] largeCalls = Hex.bytes(HELLO + large.repeat(8));
        byte[] pings = Hex.bytes(MeshFrame.ping().repeat(500));
        byte[] unknownCalls = Hex.bytes(unknown.repeat(100));
        for (int i = 0; i < FLOODS; i++) {
            byte[] first = i % 5 == 0 ? largeCalls : hello;
            byte[] others = i % 2 == 0 ? pings : unknownCalls;
            site.closed(Stranger.flood(agent.address(), first, others));
        }
    }
}
