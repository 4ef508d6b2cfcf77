package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.ClientAuth;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Peers that are not trusted, and peers that do not finish the handshake */
class TlsHandshakeTest extends TlsLinkFixture {
    /** The first nine bytes of a ClientHello whose length field says 16 MiB. */
    private static final String NINE_BYTES = "1603014000" + "01fffffb";

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aPeerWithoutACertificateIsRefused(String protocol) throws Exception {
        assertRefused(protocol, null);
        assertThat(warnings()).singleElement().asString().contains("TLS handshake: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aPeerOfAnotherAuthorityIsRefused(String protocol) throws Exception {
        assertRefused(protocol, new CertificateAuthority("another").sign("consumer.test"));
        // The same name of the authority does not help.
        assertRefused(protocol, new CertificateAuthority("ca").sign("consumer.test"));
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
                .endsWith(
                        "TLS handshake: DNS names [stranger.test] (expected: one of [consumer.test], as mesh.tls.peer-names says)");
    }

    @Test
    void tls11IsRefused() throws Exception {
        // TLS 1.1, one suite: ECDHE-RSA-AES128-SHA.
        String hello = "0302" + "00".repeat(32) + "00" + "0002c013" + "0100";
        try (Socket peer = send("160301002f" + "0100002b" + hello + "0000")) {
            byte[] alert = peer.getInputStream().readAllBytes();
            assertThat(Hex.of(alert)).matches("15030[1-3]0002" + "0246");
        }
        assertThat(accepted).isEmpty();
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

    @ParameterizedTest
    @ValueSource(strings = {"", "16", NINE_BYTES})
    void aPeerThatStopsWithinTheHandshakeIsClosedInTime(String start) throws Exception {
        accepting.close();
        accepting = TlsAcceptor.ofLinks(impatient("provider"));
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
    void bytesThatAreNotAHandshakeAreRefusedAtOnce(String garbage) throws Exception {
        try (Socket peer = send(garbage)) {
            assertEnd(peer);
        }
        assertThat(accepted).isEmpty();
        assertThat(warnings()).singleElement().asString().hasSizeLessThan(400).doesNotContain("timed out");
    }

    /** Its bytes and its end are both there before the loop that accepts it looks. */
    @Test
    void aPeerWithoutTlsThatEndsItsOutputAtOnceGetsItsAnswer() throws Exception {
        accepting.close();
        TlsSettings files = LinkFiles.write(authority, directory.resolve("provider"), provider);
        accepting = TlsAcceptor.ofHttp(
                TlsSettings.ofHttp(files.certificates(), files.key(), ClientAuth.NONE, null, 30_000),
                answer -> answer.writeCharSequence("no TLS", UTF_8));
        CountDownLatch sent = new CountDownLatch(1);
        for (EventLoop loop : loops.loops()) {
            loop.submit(() -> sent.await(30, TimeUnit.SECONDS));
        }
        try (Socket peer = send("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8))) {
            peer.shutdownOutput();
            sent.countDown();
            assertThat(peer.getInputStream().readAllBytes()).asString(UTF_8).isEqualTo("no TLS");
        } finally {
            sent.countDown();
        }
    }

    @Test
    void failedHandshakesAreCountedAndLoggedOnceASecondAtMost() throws Exception {
        long startNs = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            try (Socket peer = send("no TLS".repeat(1000).getBytes(UTF_8))) {
                assertEnd(peer);
            }
        }
        assertThat(warnings())
                .hasSizeBetween(1, 4)
                .allSatisfy(line -> assertThat(line).contains("TLS handshake: what the peer sent is not TLS"));
        assertThat(accepting.refused()).isEqualTo(50);
    }

    @Test
    void aConnectionIsNotOpenUntilThePeerIsVerified() throws Exception {
        connecting.close();
        connecting = new TlsConnector(impatient("consumer"));
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Void> silent = connect(plain.getLocalPort());
            assertFails(silent, "TLS handshake: handshake timed out after 1000ms");
            Future<Void> answeredInPlain = connect(plain.getLocalPort());
            plain.accept().close();
            try (Socket peer = plain.accept()) {
                peer.getOutputStream().write(Hex.bytes("d3e501010000000000000000"));
                assertFails(answeredInPlain, "TLS handshake: what the peer sent is not TLS");
            }

            Future<Void> closed = connect(plain.getLocalPort());
            plain.accept().close();
            assertFails(closed, "TLS handshake: closed by the peer");
        }
        assertThat(connected).isEmpty();
    }

    private TlsSettings impatient(String agent) throws Exception {
        TlsSettings patient =
                LinkFiles.write(authority, directory.resolve(agent), agent.equals("provider") ? provider : consumer);
        return TlsSettings.ofLinks(
                patient.certificates(), patient.key(), patient.peers().authorities(), List.of(), 1000);
    }

    @Test
    void aConnectionThatCannotBeOpenedFailsWithTheReason() throws Exception {
        int port = port();
        listener.close().sync();
        assertThatThrownBy(() -> connect(port).sync()).hasMessageContaining("refused");
    }

    @Test
    void theConnectingEndVerifiesThePeerToo() throws Exception {
        Path files = directory.resolve("provider");
        authority.write(files, authority.sign("stranger.test"));
        readFiles(accepting::readAgain);
        assertFails(
                connect(port()),
                "TLS handshake: DNS names [stranger.test] (expected: one of [provider.test], as mesh.tls.peer-names says)");

        authority.write(files, authority.signExpired("provider.test"));
        readFiles(accepting::readAgain);
        assertFails(connect(port()), "validity check failed");

        new CertificateAuthority("another").write(files, new CertificateAuthority("another").sign("provider.test"));
        readFiles(accepting::readAgain);
        assertFails(connect(port()), "unable to find valid certification path");
        assertThat(connected).isEmpty();
    }

    /** In TLS 1.3 a client has done its part of the handshake before the server looks at its certificate. */
    @Test
    void aRefusedPeerLearnsTheReason() throws Exception {
        authority.write(directory.resolve("consumer"), authority.sign("stranger.test"));
        readFiles(connecting::readAgain);
        connect(port()).sync();

        assertThat(event(connected)).isEqualTo("open");
        assertThat(event(connected)).startsWith("closed: TLS: ").endsWith("Received fatal alert: certificate_unknown");
        assertThat(accepted).isEmpty();
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

    private static void assertFails(Future<Void> connection, String reason) {
        assertThatThrownBy(connection::sync).hasMessageContaining(reason);
    }
}
