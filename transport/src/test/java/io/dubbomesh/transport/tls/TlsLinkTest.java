package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.transport.mesh.MeshLink;
import io.netty.handler.ssl.SslHandler;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.Test;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Links between peers that trust each other, also while their files change */
class TlsLinkTest extends TlsLinkFixture {
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
    void aWriterFasterThanItsReaderSeesThatTheLinkIsNotWritable() throws Exception {
        open();
        onLoop(acceptedLink, link -> link.channel().config().setAutoRead(false));
        byte[] body = body(1_000_000);
        int frames = 0;
        while (connectedLink.batch().isWritable()) {
            send(connectedLink, body);
            onLoop(connectedLink, MeshLink::batch);
            frames++;
        }
        // Frames that arrived before reading stopped may still be handed over.
        assertThat(accepted.size()).isLessThan(frames);

        onLoop(acceptedLink, link -> link.channel().config().setAutoRead(true));
        for (int i = 0; i < frames; i++) {
            assertThat(event(accepted)).isEqualTo(described(body));
        }
        onLoop(connectedLink, MeshLink::batch);
        assertThat(connectedLink.batch().isWritable()).isTrue();
    }

    @Test
    void tls12IsUsedWithPeersThatHaveNothingNewer() throws Exception {
        try (SSLSocket peer = peer("TLSv1.2", consumer)) {
            peer.startHandshake();
            assertThat(peer.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
            assertThat(event(accepted)).isEqualTo("open");
            assertThat(peer.getInputStream().readNBytes(4)).isEqualTo(new byte[] {(byte) 0xd3, (byte) 0xe5, 1, 1});
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

    @Test
    void aClientHelloInSegmentsOfOneByteIsRead() throws Exception {
        ByteBuffer record = clientHello();
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port())) {
            peer.setTcpNoDelay(true);
            for (int i = 0; i < record.position(); i++) {
                peer.getOutputStream().write(record.get(i));
            }
            assertThat(peer.getInputStream().read()).as("a handshake record").isEqualTo(0x16);
        }
    }

    @Test
    void aClientHelloInRecordsOfOneByteIsRead() throws Exception {
        ByteBuffer record = clientHello();
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
    void aHandshakeInTooManyRecordsEndsTheConnection() throws Exception {
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port())) {
            peer.setSoTimeout(30_000);
            // A ClientHello of 32,000 bytes, a byte in each record.
            byte[] hello = Hex.bytes("01007d00" + "0303");
            ByteBuffer records = ByteBuffer.allocate(6 * (TlsRecords.MAX_IN_HANDSHAKE + 1));
            for (int i = 0; records.hasRemaining(); i++) {
                records.put(new byte[] {0x16, 3, 1, 0, 1}).put(i < hello.length ? hello[i] : 0);
            }
            peer.getOutputStream().write(records.array());

            assertEnd(peer);
        }
        open();
        assertThat(accepting.refused()).isEqualTo(1);
        assertThat(warnings()).singleElement().asString().endsWith("TLS handshake: more than 2048 records");
    }

    @Test
    void aRecordOfAHandshakeThatIsTooLongEndsTheConnectionBeforeItComes() throws Exception {
        try (Socket peer = send("160301" + "4801")) {
            peer.setSoTimeout(30_000);
            assertEnd(peer);
        }
        open();
        assertThat(accepting.refused()).isEqualTo(1);
        assertThat(warnings())
                .singleElement()
                .asString()
                .endsWith("TLS handshake: a record of 18433 bytes (expected: at most 18432)");
    }

    @Test
    void aConnectionThatSendsNothingAndClosesIsNotLogged() throws Exception {
        for (int i = 0; i < 5; i++) {
            send("").close();
        }
        open();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void newConnectionsUseFilesThatHaveChanged() throws Exception {
        open();
        Link before = connectedLink;
        CertificateAuthority next = new CertificateAuthority("next");
        Path providerFiles = directory.resolve("provider");
        Path consumerFiles = directory.resolve("consumer");
        // First all agents trust both authorities, then all change over.
        for (Path files : List.of(providerFiles, consumerFiles)) {
            Files.writeString(files.resolve("ca.crt"), authority.pem() + next.pem());
        }
        readFiles(accepting::readAgain);
        readFiles(connecting::readAgain);
        X509Bundle renewed = next.sign("provider.test");
        next.write(providerFiles, renewed);
        Files.writeString(providerFiles.resolve("ca.crt"), authority.pem() + next.pem());
        readFiles(accepting::readAgain);
        open();
        assertThat(session(connectedLink).getPeerCertificates()).containsExactly(renewed.getCertificate());

        next.write(consumerFiles, next.sign("consumer.test"));
        readFiles(connecting::readAgain);
        open();
        send(before, body(10));
        assertThat(event(accepted)).startsWith("10 bytes");
        assertThat(warnings()).isEmpty();
    }

    /** The first half of a list of authorities is one as well. */
    @Test
    void aFileThatIsBeingWrittenIsNotUsed() throws Exception {
        CertificateAuthority next = new CertificateAuthority("next");
        Path authorities = directory.resolve("provider").resolve("ca.crt");
        Files.writeString(authorities, next.pem());
        accepting.readAgain();
        open();

        Files.writeString(authorities, next.pem() + authority.pem());
        accepting.readAgain();
        open();
        accepting.readAgain();
        open();

        next.write(directory.resolve("consumer"), next.sign("consumer.test"));
        Files.writeString(directory.resolve("consumer").resolve("ca.crt"), authority.pem());
        readFiles(connecting::readAgain);
        open();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void unusableFilesAreLoggedOnceAndTheOldOnesStayInUse() throws Exception {
        Path key = directory.resolve("provider").resolve("tls.key");
        Files.writeString(key, authority.sign("provider.test").getPrivateKeyPEM());
        readFiles(accepting::readAgain);
        readFiles(accepting::readAgain);
        assertThat(warnings())
                .singleElement()
                .asString()
                .isEqualTo("mesh.tls.key: " + key + " (not the key of the certificate in "
                        + directory.resolve("provider").resolve("tls.crt")
                        + "); new connections go on with what was read before");
        open();

        Files.delete(key);
        readFiles(accepting::readAgain);
        assertThat(warnings()).hasSize(2).last().asString().contains("no such file");
        open();

        LinkFiles.write(authority, directory.resolve("provider"), authority.sign("provider.test"), "consumer.test");
        readFiles(accepting::readAgain);
        open();
        assertThat(warnings()).hasSize(2);
    }

    private static SSLSession session(Link link) {
        return link.channel().pipeline().get(SslHandler.class).engine().getSession();
    }
}
