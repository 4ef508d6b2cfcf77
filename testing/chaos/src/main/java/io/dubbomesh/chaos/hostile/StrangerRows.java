package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.SlowClients;
import io.dubbomesh.chaos.load.SlowClients.Manner;
import io.dubbomesh.chaos.load.Stranger;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Peak;
import io.dubbomesh.chaos.row.RawRequests;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.SingleCalls;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import java.io.EOFException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import static io.dubbomesh.chaos.site.Site.pause;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

/** Peers at the mesh port who do not belong to the mesh. */
public final class StrangerRows {
    private static final String STRANGER = "a call of a stranger";
    private static final String FRIEND = "a call of a peer with the token";
    private static final long AGENT = 7;
    private static final int HANDSHAKES = 1000;
    private static final int COMPILING_HANDSHAKES = 2000;
    private static final int HANDSHAKES_AT_ONCE = 16;
    /** The default of mesh.max-opening. */
    private static final int MAX_OPENING = 256;
    /** Strangers at once. */
    private static final int SILENT = 5_000;

    /** The strangers of one address: in groups that begin one after the other and then connect again each so often. */
    private static final int GROUPS = 25;

    private static final int NEIGHBOURS_AGAIN_MS = 2_500;

    private StrangerRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                        "S1",
                        "strangers at the mesh port, where a token is demanded: silent, a part of a frame, HTTP, and valid calls"
                                + " with no HELLO, a HELLO without credentials, a wrong token",
                        "each closed in 2 s; none of their calls executed; good calls right",
                        StrangerRows::strangers),
                Row.of(
                        "S1A",
                        "as S1 with TLS between the agents: the same without TLS, a part of a ClientHello, and valid calls by TLS"
                                + " without a certificate",
                        "as S1",
                        StrangerRows::strangersWithoutCertificate),
                Row.of(
                        "S2",
                        "at the mesh port and then at the HTTPS port of a consumer agent that demands certificates: openssl without a"
                                + " certificate, with one of another authority, an expired one, one with a wrong name (mesh port), with"
                                + " TLS 1.1, that renegotiates; a ClientHello in records of 1 byte; 1,000 TLS handshakes that stop after"
                                + " nine bytes of a ClientHello",
                        "all refused, but openssl with a good certificate; no call of theirs executed; what stops closed in 3 s; memory"
                                + " of each agent at most 32 MiB up; good calls right",
                        StrangerRows::handshakes),
                Row.of(
                        "S3",
                        "the bytes of a good handshake and a call are sent again, and with each byte of the credentials changed",
                        "all refused in 2 s; no call executed",
                        StrangerRows::recordings),
                Row.of(
                        "S7",
                        "5,000 silent or half-done connections, each from another address, at the mesh port, where a token is"
                                + " demanded; a new consumer agent starts",
                        "good calls right; the new agent answers within 2.5 s; memory of each agent at most 32 MiB up",
                        StrangerRows::silentConnections),
                Row.of(
                        "S7A",
                        "as S7 with TLS between the agents: 5,000 connections that are silent, with a part of a ClientHello, or with a whole one"
                                + " and silence behind it; the provider agent has made 2,000 handshakes before",
                        "as S7",
                        StrangerRows::silentHandshakes),
                Row.of(
                        "S7B",
                        "as S7 with all 5,000 from the address that the consumer agents have: silent, with half a header or with half a"
                                + " HELLO, and again when they are closed, 2,000 a second at most; three new consumer agents, one after the"
                                + " other",
                        "as S7 for each of the new agents",
                        StrangerRows::silentNeighbours));
    }

    private static String call(long requestId, String parameter) {
        return MeshFrame.request(
                requestId,
                0,
                MeshFrame.FORM,
                Hex.u32(5_000)
                        + Hex.u16(0)
                        + MeshFrame.names(Workload.SERVICE, "hash", "Ljava/lang/String;", "", "")
                        + Hex.u32(parameter.length())
                        + Hex.text(parameter));
    }

    private static void strangers(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).agents(site.token()).consumer(site.token()).start();
        Load load = mesh.load(Workload.rate(100));
        assertClosed(mesh, figures, senders());
        // Else a frame that no agent would take could pass for a refused one.
        try (MeshConnection friend = MeshConnection.connect(mesh.agent(0).port())) {
            friend.prove(Site.TOKEN);
            friend.send(call(1, FRIEND));
            figures.equal(
                    "status of the same call with the token", friend.read().status(), 0);
        }
        figures.holds("it was executed", isExecuted(mesh, FRIEND));
        assertNothingExecuted(mesh, figures, load.stop());
    }

    private static void strangersWithoutCertificate(Site site, Figures figures) throws Exception {
        String[] tls = site.tls();
        Mesh mesh = Mesh.of(site, 1).agents(tls).consumer(tls).start();
        Load load = mesh.load(Workload.rate(100));
        Map<String, String> senders = senders();
        senders.put("part of a ClientHello", "1603010200" + "010001fc");
        assertClosed(mesh, figures, senders);
        byte[] call = Hex.bytes(MeshFrame.hello(0, 0) + call(1, STRANGER));
        figures.atMost(
                "TLS without a certificate: closed after s",
                Stranger.secondsUntilClosedWithTls(mesh.agent(0).address(), call),
                2);
        assertNothingExecuted(mesh, figures, load.stop());
    }

    /** Returns the bytes that each sends. */
    private static Map<String, String> senders() {
        Map<String, String> senders = new LinkedHashMap<>();
        senders.put("silent", "");
        senders.put("half a header", MeshFrame.hello(0, 0).substring(0, 24));
        senders.put("half a HELLO", MeshFrame.hello(0, 0).substring(0, 60));
        senders.put("HTTP", Hex.text("GET / HTTP/1.1\r\nHost: mesh\r\n\r\n"));
        senders.put("no HELLO", call(1, STRANGER));
        senders.put("HELLO without credentials", MeshFrame.hello(0, 0) + call(1, STRANGER));
        String guess = MeshFrame.answer("00".repeat(32), "a-token-that-was-guessed", AGENT);
        senders.put("wrong token", MeshFrame.helloWith(guess, AGENT) + call(1, STRANGER));
        return senders;
    }

    private static void assertClosed(Mesh mesh, Figures figures, Map<String, String> senders) throws Exception {
        for (Map.Entry<String, String> sender : senders.entrySet()) {
            double seconds = Stranger.secondsUntilClosed(mesh.agent(0).address(), Hex.bytes(sender.getValue()));
            figures.atMost(sender.getKey() + ": closed after s", seconds, 2);
        }
    }

    private static void assertNothingExecuted(Mesh mesh, Figures figures, Calls good) throws Exception {
        figures.nothingLost(good, mesh.providers())
                .none("good calls failed", good.failed().count())
                .holds("no call of a stranger was executed", !isExecuted(mesh, STRANGER));
    }

    private static boolean isExecuted(Mesh mesh, String parameter) throws Exception {
        return mesh.provider(0).executions().has(parameter.hashCode());
    }

    private static void handshakes(Site site, Figures figures) throws Exception {
        String[] tls = site.tls();
        Mesh mesh = Mesh.of(site, 1).agents(tls).consumer(tls).start();
        List<String> https = new ArrayList<>(List.of(tls));
        https.addAll(List.of(site.https()));
        Part front = site.consumerAgent("https-agent", mesh.registry(), https);
        front.restart();
        // What the first handshake loads is no matter.
        Stranger.secondsUntilClosedWithTls(front.address(), "NO HTTP\r\n\r\n".getBytes(US_ASCII));
        Load load = mesh.load(Workload.rate(100));
        pause(2);
        TlsStrangers clients = new TlsStrangers(site);
        UnaryOperator<String> meshCall =
                parameter -> new String(Hex.bytes(MeshFrame.hello(0, 0) + call(1, parameter)), ISO_8859_1);
        clients.meet(mesh.agent(0), new TlsStrangers.Port(meshCall, "\u00d3\u00e5\u0001\u0001", true), figures);
        UnaryOperator<String> httpCall = parameter -> RawRequests.post(parameter, RawRequests.CLOSE);
        clients.meet(front, new TlsStrangers.Port(httpCall, "HTTP/1.1 ", false), figures);
        figures.equal(
                        "executed of the calls with a good certificate",
                        mesh.provider(0).executions().times(TlsStrangers.FRIEND.hashCode()),
                        4)
                .holds("no call of another one was executed", !isExecuted(mesh, TlsStrangers.STRANGER));
        for (Part agent : List.of(mesh.agent(0), front)) {
            double before = agent.rssMib();
            double[] longest = new double[1];
            // The record is one of 16 KiB, and the length in the ClientHello 16 MiB.
            double most = Peak.of(agent)
                    .during(() -> longest[0] = Stranger.secondsUntilAllAreClosed(
                            agent.address(), Hex.bytes("1603014000" + "01fffffb"), HANDSHAKES));
            figures.atMost(agent.name() + ": s until a connection was closed", longest[0], 3)
                    .atMost("MiB more, " + agent.name(), most - before, 32);
        }
        assertNothingExecuted(mesh, figures, load.stop());
    }

    private static void recordings(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).agents(site.token()).consumer(site.token()).start();
        Part agent = mesh.agent(0);
        String credentials;
        try (MeshConnection good = MeshConnection.connect(agent.port())) {
            credentials = MeshFrame.answer(good.read().credentials(), Site.TOKEN, AGENT);
            good.send(MeshFrame.helloWith(credentials, AGENT));
            figures.equal(
                    "type of the answer to the recorded handshake", good.read().type(), MeshFrame.LIMIT);
        }
        int refused = 0;
        double longest = 0;
        byte[] recorded = Hex.bytes(MeshFrame.helloWith(credentials, AGENT) + call(1, STRANGER));
        int replays = site.times(100);
        for (int i = 0; i < replays; i++) {
            double seconds = Stranger.secondsUntilClosed(agent.address(), recorded);
            longest = Math.max(longest, seconds);
            refused += seconds <= 2 ? 1 : 0;
        }
        figures.equal("recordings refused", refused, replays);
        int changed = 0;
        for (int i = 0; i < 32; i++) {
            changed += isRefusedWithChangedByte(agent, i) ? 1 : 0;
        }
        figures.equal("changed credentials refused", changed, 32)
                .atMost("s until a recording was refused", longest, 2)
                .holds("no call of a stranger was executed", !isExecuted(mesh, STRANGER));
    }

    private static boolean isRefusedWithChangedByte(Part agent, int index) throws Exception {
        try (MeshConnection stranger = MeshConnection.connect(agent.port())) {
            byte[] right = Hex.bytes(MeshFrame.answer(stranger.read().credentials(), Site.TOKEN, AGENT));
            right[index] ^= 1;
            stranger.send(MeshFrame.helloWith(Hex.of(right), AGENT) + call(1, STRANGER));
            return stranger.readGoAway().startsWith("wrong token") && stranger.isAtEnd();
        }
    }

    private static void silentConnections(Site site, Figures figures) throws Exception {
        byte[] half = Hex.bytes(MeshFrame.helloWith("00".repeat(32), AGENT).substring(0, 100));
        silentConnections(site, figures, 1, fromManyAddresses(site, half), site.token());
    }

    private static void silentHandshakes(Site site, Figures figures) throws Exception {
        // The start of a ClientHello of 512 bytes, in a record of its own.
        byte[] part = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc};
        Strangers strangers = fromManyAddresses(site, part, clientHello());
        Strangers afterHandshakes = new Strangers() {
            @Override
            public void prepare(Part agent) throws Exception {
                // What the JVM takes to compile TLS does not count: each agent with TLS takes it once.
                ExecutorService peers = Executors.newFixedThreadPool(HANDSHAKES_AT_ONCE);
                List<Future<Double>> handshakes = new ArrayList<>();
                for (int i = 0; i < COMPILING_HANDSHAKES; i++) {
                    handshakes.add(
                            peers.submit(() -> Stranger.secondsUntilClosedWithTls(agent.address(), new byte[0])));
                }
                peers.shutdown();
                for (Future<Double> handshake : handshakes) {
                    handshake.get();
                }
            }

            @Override
            public void connect(Part agent) throws Exception {
                strangers.connect(agent);
            }
        };
        silentConnections(site, figures, 1, afterHandshakes, site.tls());
    }

    /** A record that an agent answers with keys and its certificate. */
    private static byte[] clientHello() throws GeneralSecurityException, SSLException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        return Arrays.copyOf(record.array(), record.position());
    }

    /** Returns strangers that send nothing, and as many that send each of these parts. */
    private static Strangers fromManyAddresses(Site site, byte[]... parts) {
        return agent -> {
            int each = SILENT / (parts.length + 1);
            site.closed(SlowClients.startFromManyAddresses(
                    agent.address(), 1, SILENT - parts.length * each, Manner.silent(new byte[0])));
            for (int i = 0; i < parts.length; i++) {
                site.closed(SlowClients.startFromManyAddresses(agent.address(), i + 2, each, Manner.silent(parts[i])));
            }
        };
    }

    private static void silentNeighbours(Site site, Figures figures) throws Exception {
        String hello = MeshFrame.helloWith("00".repeat(32), AGENT);
        byte[][] heads = {new byte[0], Hex.bytes(hello.substring(0, 24)), Hex.bytes(hello.substring(0, 100))};
        Strangers neighbours = agent -> {
            for (int i = 0; i < GROUPS; i++) {
                Manner manner = Manner.silent(heads[i % heads.length], NEIGHBOURS_AGAIN_MS);
                site.closed(SlowClients.start(agent.address(), SILENT / GROUPS, manner));
                pause(NEIGHBOURS_AGAIN_MS / 1e3 / GROUPS);
            }
            int peers = site.times(100);
            double longest = 0;
            for (int i = 0; i < peers; i++) {
                longest = Math.max(longest, Wait.seconds(5, () -> isServed(agent)));
            }
            figures.atMost("s until a peer with the token is served, longest of " + peers, longest, 1);
        };
        silentConnections(site, figures, 3, neighbours, site.token());
    }

    private static void silentConnections(
            Site site, Figures figures, int newAgents, Strangers strangers, String... settings) throws Exception {
        Mesh mesh = Mesh.of(site, 1).agents(settings).consumer(settings).start();
        Part usual = site.consumerAgent("usual-agent", mesh.registry(), List.of(settings));
        double usualSeconds = secondsUntilItAnswers(usual);
        Part agent = mesh.agent(0);
        strangers.prepare(agent);
        Load load = mesh.load(Workload.rate(100));
        pause(2);
        List<Part> measured = new ArrayList<>(List.of(agent, mesh.consumer()));
        double before = agent.rssMib();
        double consumerBefore = mesh.consumer().rssMib();
        double usualMib = usual.rssMib();
        for (int i = 1; i <= newAgents; i++) {
            measured.add(site.consumerAgent("late-agent-" + i, mesh.registry(), List.of(settings)));
        }
        double[] longest = new double[1];
        double[] most = new Peak(measured).ofEachDuring(() -> {
            strangers.connect(agent);
            pause(3);
            for (Part late : measured.subList(2, measured.size())) {
                longest[0] = Math.max(longest[0], secondsUntilItAnswers(late));
            }
            pause(site.seconds(12));
        });
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("good calls failed", calls.failed().count())
                .atMost("s until the new agent answers", longest[0], 2.5)
                .atMost("MiB more, provider agent", most[0] - before, 32)
                .atMost("MiB more, consumer agent", most[1] - consumerBefore, 32)
                .atMost(
                        "MiB of a new agent more than of one before them",
                        Arrays.stream(most, 2, most.length).max().orElseThrow() - usualMib,
                        32)
                .atLeast("connections refused", refusedConnections(agent), SILENT - MAX_OPENING)
                .note("without them %.2f s; good calls' p99 %.1f ms".formatted(usualSeconds, calls.percentileMs(99)));
    }

    private static double secondsUntilItAnswers(Part agent) throws Exception {
        long startNs = System.nanoTime();
        agent.restart();
        Wait.seconds(20, () -> SingleCalls.call(agent, "hash", "hello").status() == 200);
        return (System.nanoTime() - startNs) / 1e9;
    }

    /** Whether one attempt of a peer that has the token succeeds. */
    private static boolean isServed(Part agent) throws Exception {
        try (MeshConnection peer = MeshConnection.connect(agent.port())) {
            peer.prove(Site.TOKEN);
            return true;
        } catch (EOFException | SocketException refused) {
            return false;
        }
    }

    private static double refusedConnections(Part agent) throws Exception {
        return agent.admin("/metrics")
                .lines()
                .filter(line -> line.startsWith("dubbomesh_provider_links_refused_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(" ") + 1)))
                .sum();
    }

    /** Begins to open connections to an agent. */
    @FunctionalInterface
    private interface Strangers {
        void connect(Part agent) throws Exception;

        /** Before the agent's memory is measured. */
        default void prepare(Part agent) throws Exception {}
    }
}
