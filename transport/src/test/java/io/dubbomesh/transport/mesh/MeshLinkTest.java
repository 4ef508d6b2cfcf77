package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class MeshLinkTest {
    private static final String EMPTY = "0000" + "0000" + "0000000000000000" + "00000000" + "00000000";
    private static final String HELLO = "d3e50101" + "00000000" + "0000000000000000" + "00000000" + "0000000c" + "0101"
            + "0000000000000000" + "0000";
    private static final String PING = "d3e50105" + EMPTY;
    private static final String PONG = "d3e50106" + EMPTY;
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    private final Turn turn = new Turn(loops.loops().get(0));
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private Channel listener;
    private Socket peer;
    private DataInputStream in;
    private final LinkMetrics metrics = new LinkMetrics();
    private volatile long writeTimeoutMs;
    private volatile MeshLink link;
    private volatile Supplier<Hello> ownHello = () -> new Hello(1, 180, 4096, HelloCredentials.NONE);

    private final class Link extends MeshLink {
        Link(long heartbeatMs) {
            super(turn, Use.ANSWERS, 4096, heartbeatMs, writeTimeoutMs, metrics);
        }

        @Override
        protected Hello hello() {
            return ownHello.get();
        }

        @Override
        protected void ready(Hello hello) {
            events.add("ready " + hello.limit());
        }

        @Override
        protected void frame(int type, ByteBuf frame, int offset, int end) {
            events.add("frame " + type + ' ' + ByteBufUtil.hexDump(frame, offset + 24, end - offset - 24));
        }

        @Override
        protected void goingAway(String reason) {
            events.add("going away: " + reason);
        }

        @Override
        protected void closed(String reason) {
            events.add("closed: " + reason);
        }
    }

    @BeforeEach
    void connect() throws Exception {
        connect(10_000);
    }

    private void connect(long heartbeatMs) throws Exception {
        open(heartbeatMs);
        assertThat(read(36)).as("the HELLO of this side").startsWith("d3e50101").endsWith("0101000000b4000010000000");
    }

    private void open(long heartbeatMs) throws Exception {
        listener = loops.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        link = new Link(heartbeatMs);
                        channel.pipeline().addLast(link);
                    }
                });
        peer = new Socket(InetAddress.getLoopbackAddress(), ((InetSocketAddress) listener.localAddress()).getPort());
        in = new DataInputStream(peer.getInputStream());
    }

    @AfterEach
    void close() throws Exception {
        peer.close();
        loops.close();
    }

    @Test
    void requestsFlowOnceThePeerHasGreeted() throws Exception {
        send(HELLO + "d3e50103" + "00010000" + "0000000000000007" + "00000001" + "00000002" + "abcd");

        assertThat(event()).isEqualTo("ready 0");
        assertThat(event()).isEqualTo("frame 3 abcd");
    }

    @Test
    void aPingIsAnsweredByAPong() throws Exception {
        send(HELLO + PING);

        assertThat(read(24)).isEqualTo(PONG);
    }

    /** A link that is read even if its peer does not read, as those of consumer agents are. */
    @Test
    void pingsOfAPeerThatReadsNothingTakeNoMemory() throws Exception {
        send(HELLO);
        byte[] pings = Hex.bytes(PING.repeat(10_000));
        int floods = 30;
        for (int i = 0; i < floods; i++) {
            peer.getOutputStream().write(pings);
        }
        long sent = 36 + (long) floods * pings.length;
        Await.until("all is read", () -> onLoop(metrics::receivedBytes) == sent);
        assertThat(onLoop(this::unsentBytes)).isLessThan(256 * 1024L);

        Await.until("the peer has read what there was", () -> {
            in.skipNBytes(in.available());
            return onLoop(this::unsentBytes) == 0 && in.available() == 0;
        });
        send(PING);
        assertThat(read(24)).as("its PINGs are answered again").isEqualTo(PONG);
    }

    private long unsentBytes() {
        return link.channel().unsafe().outboundBuffer().totalPendingWriteBytes();
    }

    @Test
    void bytesAndTheTimeFromPingToPongAreCounted() throws Exception {
        peer.close();
        open(50);
        send(HELLO);
        assertThat(read(36)).startsWith("d3e50101");
        assertThat(read(24)).isEqualTo(PING);
        send(PONG);

        Await.until("the PONG is counted", () -> onLoop(metrics::roundTrips) == 1);
        assertThat(onLoop(metrics::roundTripSeconds)).isPositive();
        assertThat(onLoop(metrics::receivedBytes)).isEqualTo(36 + 24);
        Await.until("what was sent is counted", () -> onLoop(metrics::sentBytes) >= 36 + 24);
        assertThat(onLoop(metrics::linksOpen)).isEqualTo(1);
        peer.close();
        Await.until("the link is gone", () -> onLoop(metrics::linksOpen) == 0);
        assertThat(onLoop(metrics::linksOpened)).isEqualTo(1);
    }

    private <T> T onLoop(Callable<T> question) throws Exception {
        return loops.loops().get(0).submit(question).get();
    }

    @Test
    void aPeerThatSendsAnythingElseThanAHelloFirstIsSentAway() throws Exception {
        send(PING);

        assertThat(readGoAway()).isEqualTo("frame type 5 before HELLO");
        assertThat(in.read()).isEqualTo(-1);
        assertThat(event()).isEqualTo("closed: frame type 5 before HELLO");
    }

    @Test
    void aPeerThatSendsNoHelloIsRefusedByTheHeaderOfItsFrame() throws Exception {
        String[][] wrong = {
            {"03", "00000fe8", "frame type 3 before HELLO"},
            {"07", "00000401", "body length 1025 of a GOAWAY before HELLO (expected: 0 to 1024)"}
        };
        for (String[] row : wrong) {
            send("d3e501" + row[0] + EMPTY.substring(0, EMPTY.length() - 8) + row[1]);
            assertThat(readGoAway()).isEqualTo(row[2]);
            assertThat(in.read()).isEqualTo(-1);
            peer.close();
            listener.close().sync();
            connect(10_000);
        }
    }

    @Test
    void aLinkThatIsBeingClosedTakesNoNewRequests() throws Exception {
        send(HELLO);
        assertThat(event()).isEqualTo("ready 0");

        MeshLink.State state = loops.loops()
                .get(0)
                .submit(() -> {
                    link.close("test");
                    return link.state();
                })
                .get();

        assertThat(state).isEqualTo(MeshLink.State.CLOSING);
        assertThat(event()).isEqualTo("closed: test");
    }

    @Test
    void aWrongHeaderIsNamedAndEndsTheLink() throws Exception {
        String[][] wrong = {
            {"d3e60101" + EMPTY, "magic 0xd3e6 (expected: 0xd3e5)"},
            {"d3e50201" + EMPTY, "version 2 (expected: 1)"},
            {"d3e5010b" + EMPTY, "frame type 11 (expected: 1 to 10)"},
            {"d3e50100" + EMPTY, "frame type 0 (expected: 1 to 10)"},
            {"d3e5010300800000000000000000000000000000" + "00000000", "flags 0x80 of a frame of type 3 are not known"},
            {"d3e5010500010000000000000000000000000000" + "00000000", "flags 0x01 of a frame of type 5 are not known"},
            {"d3e5010300000001000000000000000000000000" + "00000000", "reserved bits 1 (expected: 0)"},
            {
                "d3e5010300000000000000000000000000000000" + "ffffffff",
                "body length -1 of a frame of type 3 (expected: 0 to 4072)"
            },
            {
                "d3e5010300000000000000000000000000000000" + "00000fe9",
                "body length 4073 of a frame of type 3 (expected: 0 to 4072)"
            },
            {
                "d3e5010500000000000000000000000000000000" + "00000001",
                "body length 1 of a frame of type 5 (expected: 0 to 0)"
            }
        };
        for (String[] row : wrong) {
            send(HELLO + row[0]);
            assertThat(readGoAway()).isEqualTo(row[1]);
            assertThat(in.read()).isEqualTo(-1);
            peer.close();
            listener.close().sync();
            connect(10_000);
        }
    }

    @Test
    void aSecondHelloEndsTheLink() throws Exception {
        send(HELLO + HELLO);

        assertThat(readGoAway()).isEqualTo("a second HELLO");
    }

    @Test
    void noCommonVersionEndsTheLink() throws Exception {
        send(HELLO.replace("0000000c0101", "0000000c0109"));

        assertThat(readGoAway()).isEqualTo("no common version (spoken here: 1)");
    }

    @Test
    void aGoAwayIsSentAndTheLinkStaysOpen() throws Exception {
        send(HELLO);
        assertThat(event()).isEqualTo("ready 0");
        loops.loops().get(0).execute(() -> link.goAway("restart"));

        assertThat(readGoAway()).isEqualTo("restart");
        send(PING);
        assertThat(read(24)).isEqualTo(PONG);
        assertThat(link.state()).isEqualTo(MeshLink.State.DRAINING);
    }

    @Test
    void aHelloThatCrossesTheFarewellIsStillTheFirst() throws Exception {
        loops.loops().get(0).submit(() -> link.goAway("restart")).sync();
        send(HELLO + PING);

        assertThat(readGoAway()).isEqualTo("restart");
        assertThat(read(24)).isEqualTo(PONG);
        assertThat(event()).isEqualTo("ready 0");
    }

    @Test
    void theGoAwayOfThePeerIsReported() throws Exception {
        send(HELLO + "d3e50107" + "00000000" + "0000000000000000" + "00000000" + "00000003" + "627965");

        assertThat(event()).isEqualTo("ready 0");
        assertThat(event()).isEqualTo("going away: bye");
        peer.close();
        assertThat(event()).isEqualTo("closed: the peer said: bye");
    }

    @Test
    void aPeerThatSendsNoHelloIsClosedAfterTwoHeartbeats() throws Exception {
        reconnect(50);

        assertThat(event()).isEqualTo("closed: no HELLO within 100 ms");
    }

    private void reconnect(long heartbeatMs) throws Exception {
        peer.close();
        listener.close().sync();
        assertThat(event()).startsWith("closed");
        connect(heartbeatMs);
    }

    @Test
    void aSilentPeerIsPingedAndResetWithinThreeIntervals() throws Exception {
        reconnect(200);
        send(HELLO);
        long startNs = System.nanoTime();

        // Four, or fewer on a busy machine whose checks are late.
        int pings = 0;
        try {
            while (true) {
                assertThat(read(24)).isEqualTo(PING);
                pings++;
            }
        } catch (SocketException reset) {
            assertThat(pings).isBetween(1, 4);
        }
        assertThat(event()).startsWith("ready");
        assertThat(event()).matches("closed: nothing received for (5[5-9]|[6-9].)\\d ms");
        assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(550));
    }

    @Test
    void noPingIsSentWhereTrafficFlowsBothWays() throws Exception {
        reconnect(400);
        send(HELLO);
        assertThat(event()).startsWith("ready");
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(1000)) {
            send(PING);
            assertThat(read(24)).isEqualTo(PONG);
            Thread.sleep(50);
        }
        assertThat(in.available()).isZero();

        assertThat(read(24)).as("when nothing comes any more").isEqualTo(PING);
    }

    /** The peer hears nothing else from it. */
    @Test
    void aSideThatOnlyReadsShowsByAPingInEachIntervalThatItLives() throws Exception {
        reconnect(400);
        send(HELLO);
        assertThat(event()).startsWith("ready");
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(1400)) {
            send(PONG);
            Thread.sleep(50);
        }
        assertThat(in.available()).as("bytes of PINGs").isBetween(2 * 24, 3 * 24);
        assertThat(read(2 * 24)).isEqualTo(PING + PING);
    }

    @Test
    void thePingOfThePeerSparesThisSideItsOwn() throws Exception {
        reconnect(400);
        send(HELLO);
        for (int i = 0; i < 3; i++) {
            Thread.sleep(300);
            send(PING);
            assertThat(read(24)).isEqualTo(PONG);
        }
        assertThat(in.available()).isZero();
    }

    /** It does not read the PINGs of the peer, and so does not answer them. */
    @Test
    void aSideThatDoesNotReadShowsByPingsThatItLives() throws Exception {
        reconnect(100);
        send(HELLO);
        assertThat(event()).startsWith("ready");
        setReading(false);
        for (int i = 0; i < 10; i++) {
            assertThat(read(24)).isEqualTo(PING);
        }
        assertThat(events).isEmpty();
    }

    @Test
    void everyByteCountsAsASignOfLife() throws Exception {
        reconnect(200);
        send(HELLO);
        assertThat(event()).startsWith("ready");
        for (int i = 0; i < 10; i++) {
            Thread.sleep(100);
            send("d3e50105".substring(0, 2));
            Thread.sleep(100);
            send(("d3e50105" + EMPTY).substring(2));
        }

        assertThat(events).isEmpty();
    }

    @Test
    void silenceDoesNotCountWhileThisSideDoesNotRead() throws Exception {
        reconnect(100);
        send(HELLO);
        assertThat(event()).startsWith("ready");
        setReading(false);
        Thread.sleep(1000);
        assertThat(events).isEmpty();

        setReading(true);
        assertThat(event()).matches("closed: nothing received for (2[6-9]|[3-9].)\\d ms");
    }

    private void setReading(boolean reading) {
        loops.loops()
                .get(0)
                .submit(() -> link.channel().config().setAutoRead(reading))
                .syncUninterruptibly();
    }

    /** A frozen machine stands still so: its peer may have been frozen as well. */
    @Test
    void timeInWhichThisProcessStandsStillDoesNotCountForAPeerThatReadsNothing() throws Exception {
        writeTimeoutMs = 2000;
        reconnect(1000);
        send(HELLO);
        assertThat(event()).isEqualTo("ready 0");
        int bytes = 16 << 20;
        onLoop(() -> {
            link.batch().buffer().writeZero(bytes);
            return null;
        });
        Await.until("what the peer does not read waits", () -> onLoop(this::unsentBytes) > 0);
        // Some checks, so that the last bytes were not sent just now.
        Await.until(
                "checks have passed",
                () -> link.channel()
                        .eventLoop()
                        .schedule(() -> true, 500, TimeUnit.MILLISECONDS)
                        .get());
        onLoop(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(writeTimeoutMs + 500));
            return null;
        });

        in.skipNBytes(bytes);
        send("d3e50103" + "00010000" + "0000000000000007" + "00000001" + "00000002" + "abcd");
        assertThat(event()).isEqualTo("frame 3 abcd");
    }

    @Test
    void aPeerThatReadsNothingIsReset() throws Exception {
        writeTimeoutMs = 1000;
        reconnect(1000);
        send(HELLO);
        assertThat(event()).isEqualTo("ready 0");
        onLoop(() -> {
            link.batch().buffer().writeZero(16 << 20);
            return null;
        });

        assertThat(event()).startsWith("closed: the peer has read nothing for 1");
    }

    @Test
    void aFrameMayTakeLongerThanThreeHeartbeatsAsLongAsItComes() throws Exception {
        reconnect(200);
        long startNs = System.nanoTime();
        send(HELLO + "d3e50103" + "00000000" + "0000000000000007" + "00000001" + "00000010");
        for (int i = 0; i < 16; i++) {
            Thread.sleep(100);
            send("ab");
        }
        int intervals = (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) / 200;
        assertThat(in.available())
                .as("PINGs meanwhile, without which the peer would take this side for dead")
                .isBetween((intervals + 2) / 3 * 24, intervals * 24);

        assertThat(event()).startsWith("ready");
        assertThat(event()).isEqualTo("frame 3 " + "ab".repeat(16));
    }

    @Test
    void aStrangerWhoSaysGoodbyeFirstIsClosedAtOnce() throws Exception {
        String bye = "d3e50107" + EMPTY;
        send(bye + bye);

        assertThat(in.read()).isEqualTo(-1);
        assertThat(event()).isEqualTo("closed: the peer said: ");
    }

    @Test
    void oneGoodbyeIsEnough() throws Exception {
        String bye = "d3e50107" + EMPTY;
        send(HELLO + bye + bye + PING);

        assertThat(read(24)).isEqualTo(PONG);
        assertThat(event()).isEqualTo("ready 0");
        assertThat(event()).isEqualTo("going away: ");
        assertThat(events).isEmpty();
    }

    @Test
    void aLinkThatCannotMakeItsHelloIsClosed() throws Exception {
        peer.close();
        listener.close().sync();
        assertThat(event()).startsWith("closed");
        ownHello = () -> {
            throw new AssertionError("for the test");
        };
        open(10_000);

        assertThat(event()).isEqualTo("closed: java.lang.AssertionError: for the test");
    }

    private void send(String hex) throws IOException {
        peer.getOutputStream().write(Hex.bytes(hex));
    }

    private String read(int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return Hex.of(bytes);
    }

    private String readGoAway() throws IOException {
        assertThat(read(20)).isEqualTo("d3e50107" + "00000000" + "0000000000000000" + "00000000");
        byte[] reason = new byte[in.readInt()];
        in.readFully(reason);
        return new String(reason, UTF_8);
    }

    private String event() {
        try {
            return Await.next(events, "something happens to the link");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
