package io.dubbomesh.transport.tls;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.mesh.MeshLink;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(120)
class MeshTlsTest {
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);
    private static final int MAX_FRAME = 16 << 20;
    /** A record with a ClientHello that is said to be of 16 MiB, and no more of it. */
    private static final String NINE_BYTES = "160301ffff" + "01fffffb";

    private static Authority authority;
    private static X509Bundle provider;
    private static X509Bundle consumer;

    @TempDir
    Path directory;

    private final EventLoops loops = new EventLoops("test", 2, Transport.of("auto"));
    private final BlockingQueue<String> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> connected = new LinkedBlockingQueue<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private MeshTls accepting;
    private MeshTls connecting;
    private Channel listener;
    private volatile Link acceptedLink;
    private volatile Link connectedLink;

    /** Tells what becomes of it. */
    private static final class Link extends MeshLink {
        private final BlockingQueue<String> events;

        Link(BlockingQueue<String> events, Turn turn) {
            super(turn, MAX_FRAME, 10_000);
            this.events = events;
        }

        @Override
        protected Hello hello() {
            events.add("open");
            return new Hello(1, 180, 4096, "");
        }

        @Override
        protected void ready(Hello hello) {
            events.add("ready");
        }

        @Override
        protected void frame(int type, ByteBuf frame, int offset, int end) {
            byte[] body = ByteBufUtil.getBytes(frame, offset + MeshHeader.LENGTH, end - offset - MeshHeader.LENGTH);
            events.add(described(body));
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

    @BeforeAll
    static void sign() throws Exception {
        authority = new Authority("ca");
        provider = authority.sign("provider.test");
        consumer = authority.sign("consumer.test");
    }

    @BeforeEach
    void listen() throws Exception {
        log.start();
        ((Logger) LoggerFactory.getLogger(MeshTls.class)).addAppender(log);
        accepting = MeshTls.accepting(authority.write(directory.resolve("provider"), provider, "consumer.test"));
        connecting = MeshTls.connecting(authority.write(directory.resolve("consumer"), consumer, "provider.test"));
        listener = loops.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        loops.forgetWhenClosed(channel);
                        Link link = new Link(accepted, new Turn(channel.eventLoop()));
                        accepting.accept(channel);
                        channel.pipeline().addLast(link);
                        acceptedLink = link;
                    }
                });
    }

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger(MeshTls.class)).detachAppender(log);
        loops.close();
        accepting.close();
        connecting.close();
    }

    @Test
    void linksGreetAndAnswerBehindTls() throws Exception {
        open();
        assertThat(session(connectedLink).getProtocol()).isEqualTo("TLSv1.3");

        onLoop(connectedLink, link -> link.goAway("restart"));
        assertThat(event(accepted)).isEqualTo("going away: restart");
        onLoop(acceptedLink, link -> link.close("idle"));
        assertThat(event(connected)).isEqualTo("closed: closed by the peer");
        assertThat(event(accepted)).isEqualTo("closed: idle");
    }

    @Test
    void framesOfEverySizeArriveWhole() throws Exception {
        open();
        for (int length = 1; length <= 600_000; length = length * 3 + 1) {
            byte[] body = body(length);
            send(connectedLink, body);
            assertThat(event(accepted)).isEqualTo(described(body));
            send(acceptedLink, body);
            assertThat(event(connected)).isEqualTo(described(body));
        }
    }

    @Test
    void whoWritesFasterThanThePeerReadsIsTold() throws Exception {
        open();
        onLoop(acceptedLink, link -> link.channel().config().setAutoRead(false));
        byte[] body = body(1_000_000);
        int frames = 0;
        while (connectedLink.batch().isWritable()) {
            send(connectedLink, body);
            onLoop(connectedLink, MeshLink::batch);
            frames++;
        }
        // What comes before a stop has been read may be handed over all the same.
        assertThat(accepted.size()).isLessThan(frames);

        onLoop(acceptedLink, link -> link.channel().config().setAutoRead(true));
        for (int i = 0; i < frames; i++) {
            assertThat(event(accepted)).isEqualTo(described(body));
        }
        onLoop(connectedLink, MeshLink::batch);
        assertThat(connectedLink.batch().isWritable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aPeerWithoutACertificateIsRefused(String protocol) throws Exception {
        assertRefused(protocol, null);
        assertThat(warnings()).singleElement().asString().contains("TLS handshake: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aPeerOfAnotherAuthorityIsRefused(String protocol) throws Exception {
        assertRefused(protocol, new Authority("another").sign("consumer.test"));
        // The very name of the authority helps nobody.
        assertRefused(protocol, new Authority("ca").sign("consumer.test"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anExpiredPeerIsRefused(String protocol) throws Exception {
        assertRefused(protocol, authority.signExpired("consumer.test"));
        assertThat(warnings()).singleElement().asString().contains("validity check failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aPeerOfAnotherNameIsRefused(String protocol) throws Exception {
        assertRefused(protocol, authority.sign("stranger.test"));
        assertThat(warnings())
                .singleElement()
                .asString()
                .endsWith("TLS handshake: DNS names [stranger.test] (expected: one of [consumer.test])");
    }

    @Test
    void tls11IsRefused() throws Exception {
        // TLS 1.1, one suite: ECDHE-RSA-AES128-SHA.
        String hello = "0302" + "00".repeat(32) + "00" + "0002c013" + "0100";
        try (Socket peer = send("160301002f" + "0100002b" + hello + "0000")) {
            byte[] alert = peer.getInputStream().readAllBytes();
            assertThat(HexFormat.of().formatHex(alert)).matches("15030[1-3]0002" + "0246");
        }
        assertThat(accepted).isEmpty();
    }

    @Test
    void tls12IsSpokenToThoseWhoHaveNothingNewer() throws Exception {
        try (SSLSocket peer = peer("TLSv1.2", consumer)) {
            peer.startHandshake();
            assertThat(peer.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
            assertThat(event(accepted)).isEqualTo("open");
            assertThat(peer.getInputStream().readNBytes(4)).isEqualTo(new byte[] {(byte) 0xd3, (byte) 0xe5, 1, 1});
        }
    }

    @Test
    void aPeerMayNotBeginASecondHandshake() throws Exception {
        try (SSLSocket peer = peer("TLSv1.2", consumer)) {
            peer.startHandshake();
            assertThat(event(accepted)).isEqualTo("open");
            peer.startHandshake();
            assertEnd(peer);
            assertThat(event(accepted)).startsWith("closed: TLS: ");
        }
    }

    @Test
    void anEndOfTlsIsTheEndOfTheLink() throws Exception {
        try (Socket connection = send("")) {
            SSLSocket peer = (SSLSocket)
                    context(consumer).getSocketFactory().createSocket(connection, "provider.test", port(), false);
            peer.startHandshake();
            assertThat(event(accepted)).isEqualTo("open");
            // Ends TLS and leaves the connection open.
            peer.close();
            assertThat(event(accepted)).isEqualTo("closed: closed by the peer before its HELLO");
            assertEnd(connection);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "16", NINE_BYTES})
    void aPeerThatStopsWithinTheHandshakeIsClosedInTime(String start) throws Exception {
        accepting.close();
        accepting = MeshTls.accepting(impatient("provider"));
        long startNs = System.nanoTime();
        try (Socket peer = send(start)) {
            assertEnd(peer);
        }
        assertThat(System.nanoTime() - startNs).isGreaterThan(900_000_000L);
        assertThat(accepted).isEmpty();
        assertThat(warnings()).singleElement().asString().endsWith("TLS handshake: handshake timed out after 1000ms");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "474554202f20485454502f312e310d0a0d0a",
                "d3e501010000000000000000000000000000000000000c0101",
                "16030100050100000100",
                "17030300050000000000",
                "15030300020246"
            })
    void whatIsNoHandshakeIsRefusedAtOnce(String garbage) throws Exception {
        try (Socket peer = send(garbage)) {
            assertEnd(peer);
        }
        assertThat(accepted).isEmpty();
        assertThat(warnings()).singleElement().asString().hasSizeLessThan(400).doesNotContain("timed out");
    }

    @Test
    void aHelloInRecordsOfOneByteIsAsGoodAsAnother() throws Exception {
        SSLEngine engine = context(consumer).createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(32 * 1024);
        engine.wrap(ByteBuffer.allocate(0), record);
        ByteBuffer split = ByteBuffer.allocate(6 * record.position());
        for (int i = 5; i < record.position(); i++) {
            split.put(new byte[] {0x16, 3, 3, 0, 1}).put(record.get(i));
        }
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port())) {
            peer.getOutputStream().write(split.array(), 0, split.position());
            assertThat(peer.getInputStream().read()).as("a handshake record").isEqualTo(0x16);
        }
    }

    @Test
    void strangersGetALineASecondAtMost() throws Exception {
        long startNs = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            try (Socket peer = send("no TLS".repeat(1000).getBytes(UTF_8))) {
                assertEnd(peer);
            }
        }
        assertThat(warnings())
                .hasSizeBetween(1, 4)
                .allSatisfy(line -> assertThat(line).contains("TLS handshake: what the peer sent is not TLS"));
    }

    @Test
    void comingAndGoingWithoutAWordIsNotLogged() throws Exception {
        for (int i = 0; i < 5; i++) {
            send("").close();
        }
        open();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aConnectionIsNoneUntilThePeerIsKnown() throws Exception {
        connecting.close();
        connecting = MeshTls.connecting(impatient("consumer"));
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Void> silent = connect(plain.getLocalPort());
            assertFails(silent, "TLS handshake: handshake timed out after 1000ms");

            Future<Void> answeredInPlain = connect(plain.getLocalPort());
            plain.accept().close();
            try (Socket peer = plain.accept()) {
                peer.getOutputStream().write(HexFormat.of().parseHex("d3e501010000000000000000"));
                assertFails(answeredInPlain, "TLS handshake: what the peer sent is not TLS");
            }

            Future<Void> closed = connect(plain.getLocalPort());
            plain.accept().close();
            assertFails(closed, "TLS handshake: closed by the peer");
        }
        assertThat(connected).isEmpty();
    }

    private TlsSettings impatient(String agent) throws Exception {
        TlsSettings patient = authority.write(directory.resolve(agent), agent.equals("provider") ? provider : consumer);
        return new TlsSettings(patient.certificates(), patient.key(), patient.authorities(), List.of(), 1000);
    }

    @Test
    void aConnectionThatCannotBeOpenedSaysSo() throws Exception {
        int port = port();
        listener.close().sync();
        assertThatThrownBy(() -> connect(port).sync()).hasMessageContaining("refused");
    }

    @Test
    void whoConnectsChecksThePeerToo() throws Exception {
        Path files = directory.resolve("provider");
        authority.write(files, authority.sign("stranger.test"));
        accepting.readAgain();
        assertFails(connect(port()), "TLS handshake: DNS names [stranger.test] (expected: one of [provider.test])");

        authority.write(files, authority.signExpired("provider.test"));
        accepting.readAgain();
        assertFails(connect(port()), "validity check failed");

        new Authority("another").write(files, new Authority("another").sign("provider.test"));
        accepting.readAgain();
        assertFails(connect(port()), "unable to find valid certification path");
        assertThat(connected).isEmpty();
    }

    /** In TLS 1.3 a client has done its part of the handshake before the server looks at its certificate. */
    @Test
    void whoIsRefusedHearsWhy() throws Exception {
        authority.write(directory.resolve("consumer"), authority.sign("stranger.test"));
        connecting.readAgain();
        connect(port()).sync();

        assertThat(event(connected)).isEqualTo("open");
        assertThat(event(connected)).startsWith("closed: TLS: ").endsWith("Received fatal alert: certificate_unknown");
        assertThat(accepted).isEmpty();
    }

    @Test
    void newConnectionsUseFilesThatHaveChanged() throws Exception {
        open();
        Link before = connectedLink;
        Authority next = new Authority("next");
        Path providerFiles = directory.resolve("provider");
        Path consumerFiles = directory.resolve("consumer");
        // First everybody trusts both authorities, then everybody changes over.
        for (Path files : List.of(providerFiles, consumerFiles)) {
            Files.writeString(files.resolve("ca.crt"), authority.pem() + next.pem());
        }
        accepting.readAgain();
        connecting.readAgain();
        X509Bundle renewed = next.sign("provider.test");
        next.write(providerFiles, renewed);
        Files.writeString(providerFiles.resolve("ca.crt"), authority.pem() + next.pem());
        accepting.readAgain();
        open();
        assertThat(session(connectedLink).getPeerCertificates()).containsExactly(renewed.getCertificate());

        next.write(consumerFiles, next.sign("consumer.test"));
        connecting.readAgain();
        open();
        send(before, body(10));
        assertThat(event(accepted)).startsWith("10 bytes");
        assertThat(warnings()).isEmpty();
    }

    @Test
    void filesThatAreOfNoUseAreToldOnceAndLeaveEverythingAsItWas() throws Exception {
        Path key = directory.resolve("provider").resolve("tls.key");
        Files.writeString(key, authority.sign("provider.test").getPrivateKeyPEM());
        accepting.readAgain();
        accepting.readAgain();
        assertThat(warnings())
                .singleElement()
                .asString()
                .isEqualTo("mesh.tls.key: " + key + " (not the key of the certificate in "
                        + directory.resolve("provider").resolve("tls.crt")
                        + "); new connections go on with what was read before");
        open();

        Files.delete(key);
        accepting.readAgain();
        assertThat(warnings()).hasSize(2).last().asString().contains("no such file");
        open();

        authority.write(directory.resolve("provider"), authority.sign("provider.test"), "consumer.test");
        accepting.readAgain();
        open();
        assertThat(warnings()).hasSize(2);
    }

    /** Opens a link, and returns when both ends have greeted. */
    private void open() throws Exception {
        connect(port()).sync();
        for (BlockingQueue<String> events : List.of(accepted, connected)) {
            assertThat(event(events)).isEqualTo("open");
            assertThat(event(events)).isEqualTo("ready");
        }
    }

    private Future<Void> connect(int port) {
        EventLoop loop = loops.loops().get(0);
        connectedLink = new Link(connected, new Turn(loop));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return connecting.connect(loops, loop, address, SOCKETS, connectedLink);
    }

    private int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    private static SSLSession session(Link link) {
        return link.channel().pipeline().get(SslHandler.class).engine().getSession();
    }

    private static void onLoop(Link link, Consumer<Link> task) throws Exception {
        link.channel().eventLoop().submit(() -> task.accept(link)).sync();
    }

    private static void send(Link link, byte[] body) throws Exception {
        onLoop(link, sender -> {
            ByteBuf out = sender.batch().buffer();
            int frame = FrameWriter.beginRequest(out, 0, 1, 1);
            out.writeBytes(body);
            FrameWriter.endRequest(out, frame);
        });
    }

    private static byte[] body(int length) {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        return body;
    }

    private static String described(byte[] body) {
        return body.length + " bytes " + Arrays.hashCode(body);
    }

    private void assertRefused(String protocol, X509Bundle own) throws Exception {
        try (SSLSocket peer = peer(protocol, own)) {
            assertThatThrownBy(() -> {
                        peer.startHandshake();
                        peer.getInputStream().read();
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(accepted).isEmpty();
    }

    private SSLSocket peer(String protocol, X509Bundle own) throws Exception {
        SSLSocket peer = (SSLSocket) context(own).getSocketFactory().createSocket();
        peer.setSoTimeout(30_000);
        peer.setEnabledProtocols(new String[] {protocol});
        peer.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
        return peer;
    }

    private static SSLContext context(X509Bundle own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : own.toKeyManagerFactory().getKeyManagers(),
                provider.toTrustManagerFactory().getTrustManagers(),
                null);
        return context;
    }

    private Socket send(String hex) throws IOException {
        return send(HexFormat.of().parseHex(hex));
    }

    private Socket send(byte[] bytes) throws IOException {
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), port());
        peer.setSoTimeout(30_000);
        peer.getOutputStream().write(bytes);
        return peer;
    }

    /** Whatever comes before it, such as an alert. */
    private static void assertEnd(Socket peer) {
        try {
            peer.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("not closed", e);
        } catch (IOException e) {
            // A reset is an end, too.
        }
    }

    private static void assertFails(Future<Void> connection, String reason) {
        assertThatThrownBy(connection::sync).hasMessageContaining(reason);
    }

    private List<String> warnings() throws Exception {
        // Handshakes end on the loops.
        for (EventLoop loop : loops.loops()) {
            loop.submit(() -> {}).sync();
        }
        synchronized (log) {
            return log.list.stream()
                    .filter(event -> event.getLevel() == Level.WARN)
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }
    }

    private static String event(BlockingQueue<String> events) throws InterruptedException {
        String event = events.poll(30, TimeUnit.SECONDS);
        return event != null ? event : "nothing happened";
    }
}
