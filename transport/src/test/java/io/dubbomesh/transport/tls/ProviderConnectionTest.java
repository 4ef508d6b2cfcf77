package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Threads;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsConnector.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Connections to a server of the JDK's TLS in the place of a provider, from event loops and blocking ones. */
@Timeout(60)
class ProviderConnectionTest {
    private static final long HANDSHAKE_MS = 20_000;
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);
    private static CertificateAuthority authority;

    @TempDir
    Path directory;

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    /** What the server has seen of each connection: the protocol of ALPN and the peer, or why there is none. */
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private ServerSocket server;
    private TlsConnector connector;

    @BeforeAll
    static void sign() throws Exception {
        authority = new CertificateAuthority("ca");
    }

    @AfterEach
    void close() throws IOException {
        loops.close();
        if (connector != null) {
            connector.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** @param protocols that the server chooses one of; none: it does not know ALPN */
    private void listen(X509Bundle own, boolean needsCertificate, String... protocols) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManager[] trusted = authority.sign("any").toTrustManagerFactory().getTrustManagers();
        context.init(own.toKeyManagerFactory().getKeyManagers(), trusted, null);
        SSLServerSocket listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        parameters.setNeedClientAuth(needsCertificate);
        listener.setSSLParameters(parameters);
        server = listener;
        Threads.start("provider", () -> {
            while (true) {
                SSLSocket accepted = (SSLSocket) listener.accept();
                Threads.start("provider-connection", () -> serve(accepted));
            }
        });
    }

    private void serve(SSLSocket accepted) throws IOException {
        try (accepted) {
            accepted.startHandshake();
            String peer = accepted.getSession().getLocalCertificates().length == 0
                    ? ""
                    : accepted.getNeedClientAuth()
                            ? accepted.getSession().getPeerPrincipal().getName()
                            : "";
            seen.add(accepted.getApplicationProtocol() + ' ' + peer);
            accepted.getInputStream().transferTo(accepted.getOutputStream());
        } catch (IOException e) {
            seen.add("refused");
        }
    }

    private TlsConnector connector(X509Bundle own, CertificateAuthority trusted, String... names) throws IOException {
        TlsFiles files = trusted == null ? null : trusted.write(directory, own == null ? trusted.root() : own);
        connector = new TlsConnector(TlsSettings.ofProviders(
                own == null ? null : files.certificate(),
                own == null ? null : files.key(),
                files == null ? null : files.authorities(),
                List.of(names),
                HANDSHAKE_MS));
        return connector;
    }

    private HostPort address() {
        return new HostPort("127.0.0.1", server.getLocalPort());
    }

    /** Opens a connection on an event loop, sends a word and awaits it back. */
    private void echo(Peer peer) throws Exception {
        connector
                .connect(
                        loops,
                        loops.loops().get(0),
                        new InetSocketAddress("127.0.0.1", server.getLocalPort()),
                        SOCKETS,
                        new Echo(),
                        peer)
                .get(30, TimeUnit.SECONDS);
        assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo("ann");
    }

    /** Does the same on a blocking connection. */
    private void echoBlocking(Peer peer) throws Exception {
        try (Socket socket = connector.open(peer, System.nanoTime() + TimeUnit.SECONDS.toNanos(30))) {
            socket.getOutputStream().write("bob".getBytes());
            assertThat(socket.getInputStream().readNBytes(3)).isEqualTo("bob".getBytes());
        }
    }

    private final class Echo extends ChannelInboundHandlerAdapter {
        private boolean active;

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (!active) {
                received.add("a read before the connection");
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            active = true;
            ctx.writeAndFlush(ctx.alloc().buffer().writeBytes("ann".getBytes()));
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            byte[] text = new byte[bytes.readableBytes()];
            bytes.readBytes(text).release();
            received.add(new String(text));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            received.add(String.valueOf(cause.getMessage()));
            ctx.close();
        }
    }

    private String refusal(Peer peer) {
        try {
            echo(peer);
            return "no refusal";
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause().getMessage());
        } catch (Exception e) {
            return e.toString();
        }
    }

    private void assertRefused(String reason) {
        assertThat(refusal(Peer.at(address()))).startsWith("TLS handshake: ").contains(reason);
        assertThatThrownBy(() -> echoBlocking(Peer.at(address())))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("TLS handshake: ")
                .hasMessageContaining(reason);
    }

    @Test
    void aPeerThatSpeaksHttp2ChoosesItByAlpn() throws Exception {
        listen(authority.sign("provider.test"), false, "h2", "http/1.1");
        connector(null, authority);

        echo(Peer.ofHttp2(address()));
        assertThat(seen.take()).isEqualTo("h2 ");
        echoBlocking(Peer.ofHttp2(address()));
        assertThat(seen.take()).isEqualTo("h2 ");
        echo(Peer.at(address()));
        assertThat(seen.take()).isEqualTo(" ");
        echoBlocking(Peer.at(address()));
        assertThat(seen.take()).isEqualTo(" ");
    }

    /** Dubbo 3.0 to 3.2 know no ALPN. */
    @Test
    void aPeerThatDoesNotNegotiateIsConnectedToAllTheSame() throws Exception {
        listen(authority.sign("provider.test"), false);
        connector(null, authority);

        echo(Peer.ofHttp2(address()));
        assertThat(seen.take()).isEqualTo(" ");
        echoBlocking(Peer.ofHttp2(address()));
        assertThat(seen.take()).isEqualTo(" ");
    }

    @Test
    void aPeerThatRefusesHttp2ByAlpnIsNotConnectedTo() throws Exception {
        listen(authority.sign("provider.test"), false, "http/1.1");
        connector(null, authority);

        assertThat(refusal(Peer.ofHttp2(address())))
                .isEqualTo("TLS handshake: Received fatal alert: no_application_protocol");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
        listen(new CertificateAuthority("other").sign("provider.test"), false);
        connector(null, authority);

        assertRefused("unable to find valid certification path");
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        listen(authority.signExpired("provider.test"), false);
        connector(null, authority);

        assertRefused("validity check failed");
    }

    @Test
    void aCertificateWithoutOneOfTheNamesIsRefused() throws Exception {
        listen(authority.sign("provider.test"), false);
        connector(null, authority, "other.test", "provider.test");
        echo(Peer.at(address()));
        connector.close();

        connector(null, authority, "other.test");
        assertRefused("DNS names [provider.test] (expected: one of [other.test], as dubbo.tls.peer-names says)");
    }

    /** The JVM trusts no authority of a test, so both are asked for here: its authorities, and the host. */
    @Test
    void withoutAuthoritiesThoseOfTheJvmCountAndTheHost() throws Exception {
        listen(authority.sign("provider.test"), false);
        connector(null, null);
        assertRefused("unable to find valid certification path");

        TlsSettings settings = TlsSettings.ofProviders(null, null, null, List.of(), HANDSHAKE_MS);
        assertThat(settings.peers().areKnownByHost()).isTrue();
        assertThat(io.dubbomesh.transport.tls.TlsFiles.read(settings)
                        .toConnect(settings)
                        .newEngine(UnpooledByteBufAllocator.DEFAULT, "provider.test", 1)
                        .getSSLParameters()
                        .getEndpointIdentificationAlgorithm())
                .isEqualTo("HTTPS");
    }

    @Test
    void aPeerThatNeedsACertificateGetsThatOfTheAgent() throws Exception {
        listen(authority.sign("provider.test"), true);
        connector(authority.sign("gateway.test"), authority);

        echo(Peer.at(address()));
        assertThat(seen.take()).isEqualTo(" CN=gateway.test");
        echoBlocking(Peer.at(address()));
        assertThat(seen.take()).isEqualTo(" CN=gateway.test");
    }

    /** With TLS 1.3 the peer refuses what it does not get when its own handshake is done for the agent. */
    @Test
    void aPeerThatNeedsACertificateRefusesAnAgentWithoutOne() throws Exception {
        listen(authority.sign("provider.test"), true);
        connector(null, authority);

        connector.connect(
                loops,
                loops.loops().get(0),
                new InetSocketAddress("127.0.0.1", server.getLocalPort()),
                SOCKETS,
                new Echo(),
                Peer.at(address()));
        assertThat(received.poll(30, TimeUnit.SECONDS)).contains("TLS: Received fatal alert: bad_certificate");
        assertThat(seen.take()).isEqualTo("refused");
    }

    @Test
    void aPeerWithoutTlsIsNamed() throws Exception {
        plain("HTTP/1.1 400 Bad Request\r\n\r\n");
        connector(null, authority);

        assertThat(refusal(Peer.at(address()))).isEqualTo("TLS handshake: what the peer sent is not TLS");
        assertThatThrownBy(() -> echoBlocking(Peer.at(address()))).hasMessageStartingWith("TLS handshake: ");
    }

    /** @param answer to the first bytes of a connection, which stays open */
    private void plain(String answer) throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server = listener;
        Threads.start("plain", () -> {
            while (true) {
                Socket accepted = listener.accept();
                Threads.start("plain-connection", () -> {
                    try (accepted) {
                        accepted.getInputStream().read();
                        accepted.getOutputStream().write(answer.getBytes());
                        accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
                    }
                });
            }
        });
    }

    /** A ClientHello is answered byte by byte: each read has the time that is left, all of them have it once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aBlockingConnectionEndsAtItsDeadline(int bytesEach) throws Exception {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server = listener;
        Threads.start("slow", () -> {
            try (Socket accepted = listener.accept()) {
                // The header of a handshake record of 16 KB.
                accepted.getOutputStream().write(new byte[] {22, 3, 3, 64, 0});
                while (true) {
                    accepted.getOutputStream().write(new byte[bytesEach]);
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            }
        });
        connector(null, authority);

        long startNs = System.nanoTime();
        assertThatThrownBy(() -> connector.open(Peer.at(address()), startNs + TimeUnit.MILLISECONDS.toNanos(400)))
                .isInstanceOf(IOException.class);
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(10));
    }

    @Test
    void anAgentWithoutACertificateReadsItsAuthoritiesAgain() throws Exception {
        CertificateAuthority next = new CertificateAuthority("next");
        listen(next.sign("provider.test"), false);
        connector(null, authority);
        assertRefused("unable to find valid certification path");

        next.write(directory, next.root());
        connector.readAgain();
        connector.readAgain();
        echo(Peer.at(address()));
    }

    /** Renegotiation is a thing of TLS 1.2. */
    @Test
    void aPeerThatBeginsASecondHandshakeIsLeft() throws Exception {
        X509Bundle own =
                authority.sign(new CertificateBuilder().ecp256().subject("CN=p").addSanDnsName("p.test"));
        SSLContext context = SSLContext.getInstance("TLSv1.2");
        context.init(own.toKeyManagerFactory().getKeyManagers(), null, null);
        SSLServerSocket listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setEnabledProtocols(new String[] {"TLSv1.2"});
        server = listener;
        Threads.start("provider", () -> {
            try (SSLSocket accepted = (SSLSocket) listener.accept()) {
                accepted.startHandshake();
                accepted.getOutputStream().write(accepted.getInputStream().readNBytes(3));
                accepted.startHandshake();
                accepted.getInputStream().read();
            }
        });
        connector(null, authority);

        echo(Peer.at(address()));
        assertThat(received.poll(30, TimeUnit.SECONDS)).startsWith("TLS: ");
    }
}
