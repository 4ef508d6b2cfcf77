package io.dubbomesh.transport.tls;

import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.mesh.MeshLink;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An accepting and a connecting end with links over TLS, and what happens to them as a queue of events for each end.
 */
@Timeout(120)
abstract class TlsLinkFixture {
    static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);
    static final int MAX_FRAME = 16 << 20;
    static CertificateAuthority authority;
    static X509Bundle provider;
    static X509Bundle consumer;

    @TempDir
    Path directory;

    final EventLoops loops = new EventLoops("test", 2, Transport.of("auto"));
    final BlockingQueue<String> accepted = new LinkedBlockingQueue<>();
    final BlockingQueue<String> connected = new LinkedBlockingQueue<>();

    @RegisterExtension
    final RecordedLog log = new RecordedLog("io.dubbomesh.transport.tls");

    TlsAcceptor accepting;
    TlsConnector connecting;
    Channel listener;
    volatile Link acceptedLink;
    volatile Link connectedLink;

    /** Records what happens to it. */
    static final class Link extends MeshLink {
        private final BlockingQueue<String> events;

        Link(BlockingQueue<String> events, Turn turn) {
            super(turn, Use.ANSWERS, MAX_FRAME, 10_000, 0, new LinkMetrics());
            this.events = events;
        }

        @Override
        protected Hello hello() {
            events.add("open");
            return new Hello(1, 180, 4096, HelloCredentials.NONE);
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
        authority = new CertificateAuthority("ca");
        provider = authority.sign("provider.test");
        consumer = authority.sign("consumer.test");
    }

    @BeforeEach
    void listen() throws Exception {
        accepting = TlsAcceptor.ofLinks(
                LinkFiles.write(authority, directory.resolve("provider"), provider, "consumer.test"));
        connecting =
                new TlsConnector(LinkFiles.write(authority, directory.resolve("consumer"), consumer, "provider.test"));
        listener = loops.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SOCKETS, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        loops.removeWhenClosed(channel);
                        Link link = new Link(accepted, new Turn(channel.eventLoop()));
                        accepting.accept(channel, MemoryBudget.unlimited());
                        channel.pipeline().addLast(link);
                        acceptedLink = link;
                    }
                });
    }

    @AfterEach
    void close() {
        loops.close();
        accepting.close();
        connecting.close();
    }

    /** Reads the files twice: what has changed is used then. */
    static void readFiles(Runnable readAgain) {
        readAgain.run();
        readAgain.run();
    }

    /** Opens a link, and returns when both ends have the HELLO of the other. */
    void open() throws Exception {
        connect(port()).sync();
        for (BlockingQueue<String> events : List.of(accepted, connected)) {
            assertThat(event(events)).isEqualTo("open");
            assertThat(event(events)).isEqualTo("ready");
        }
    }

    Future<Void> connect(int port) {
        EventLoop loop = loops.loops().get(0);
        connectedLink = new Link(connected, new Turn(loop));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return connecting.connect(loops, loop, address, SOCKETS, connectedLink);
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    static void onLoop(Link link, Consumer<Link> task) throws Exception {
        link.channel().eventLoop().submit(() -> task.accept(link)).sync();
    }

    static void send(Link link, byte[] body) throws Exception {
        onLoop(link, sender -> {
            ByteBuf out = sender.batch().buffer();
            int frame = FrameWriter.beginRequest(out, 0, 1, 1);
            out.writeBytes(body);
            FrameWriter.endRequest(out, frame);
        });
    }

    static byte[] body(int length) {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        return body;
    }

    static String described(byte[] body) {
        return body.length + " bytes " + Arrays.hashCode(body);
    }

    SSLSocket peer(String protocol, X509Bundle own) throws Exception {
        SSLSocket peer = (SSLSocket) context(own).getSocketFactory().createSocket();
        peer.setSoTimeout(30_000);
        peer.setEnabledProtocols(new String[] {protocol});
        peer.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
        return peer;
    }

    static SSLContext context(X509Bundle own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : own.toKeyManagerFactory().getKeyManagers(),
                provider.toTrustManagerFactory().getTrustManagers(),
                null);
        return context;
    }

    Socket send(String hex) throws IOException {
        return send(Hex.bytes(hex));
    }

    Socket send(byte[] bytes) throws IOException {
        Socket peer = new Socket(InetAddress.getLoopbackAddress(), port());
        peer.setSoTimeout(30_000);
        peer.getOutputStream().write(bytes);
        return peer;
    }

    /** A record, ready to be sent but for its flip. */
    static ByteBuffer clientHello() throws Exception {
        SSLEngine engine = context(consumer).createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(32 * 1024);
        engine.wrap(ByteBuffer.allocate(0), record);
        return record;
    }

    /** Ignores what comes before the end, such as an alert. */
    static void assertEnd(Socket peer) {
        try {
            peer.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("not closed", e);
        } catch (IOException e) {
            // A reset is an end, too.
        }
    }

    List<String> warnings() throws Exception {
        // Handshakes end on the loops.
        for (EventLoop loop : loops.loops()) {
            loop.submit(() -> {}).sync();
        }
        return log.warnings();
    }

    static String event(BlockingQueue<String> events) throws InterruptedException {
        return Await.next(Duration.ofSeconds(30), events, "something happens to the link");
    }
}
