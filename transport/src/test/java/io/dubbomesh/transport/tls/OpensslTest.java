package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Another implementation of TLS in front of the port of links */
class OpensslTest extends TlsLinkFixture {
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aTrustedPeerIsGreeted(String version) throws Exception {
        Process peer = peer(consumer, version);
        try (InputStream in = peer.getInputStream()) {
            assertThat(event(accepted)).isEqualTo("open");
            assertThat(in.readNBytes(4)).isEqualTo(new byte[] {(byte) 0xd3, (byte) 0xe5, 1, 1});
        } finally {
            peer.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void whoIsNotTrustedIsRefused(String version) throws Exception {
        assertRefused(null, version);
        assertRefused(new CertificateAuthority("ca").sign("consumer.test"), version);
        assertRefused(authority.signExpired("consumer.test"), version);
        assertRefused(authority.sign("stranger.test"), version);
        assertThat(accepted).isEmpty();
    }

    @Test
    void theLogSaysThatAPeerDoesNotAcceptTheCertificate() throws Exception {
        assertRefused(consumer, "-tls1_3", "-verify_return_error", "-verify_hostname", "other.test");
        Await.until(
                "the line about it",
                () -> warnings().stream()
                        .anyMatch(line -> line.contains("TLS handshake: refused by the peer, most likely because it")));
    }

    @Test
    void tls11IsRefused() throws Exception {
        assertRefused(consumer, "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0");
        assertThat(accepted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECDSA+SHA1", "ECDSA+SHA224"})
    void handshakesAreNotSignedOverWeakDigests(String algorithm) throws Exception {
        assertRefused(consumer, "-tls1_2", "-sigalgs", algorithm, "-cipher", "DEFAULT@SECLEVEL=0");
        assertThat(accepted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECDSA+SHA1", "ECDSA+SHA224"})
    void whoSignsOverAWeakDigestIsRefused(String algorithm) throws Exception {
        assertRefused(consumer, "-tls1_2", "-client_sigalgs", algorithm, "-cipher", "DEFAULT@SECLEVEL=0");
        assertThat(accepted).isEmpty();
    }

    @Test
    void whoRenegotiatesIsDisconnected() throws Exception {
        Process peer = peer(List.of(), consumer, "-tls1_2");
        assertThat(event(accepted)).isEqualTo("open");
        try (OutputStream out = peer.getOutputStream()) {
            out.write("R\n".getBytes(US_ASCII));
            out.flush();
            assertThat(event(accepted)).startsWith("closed: TLS: ");
            assertThat(peer.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            peer.destroyForcibly();
        }
    }

    private void assertRefused(X509Bundle own, String... options) throws Exception {
        Process peer = peer(own, options);
        try {
            // Its input stays open, so that it is the agent that ends the connection.
            assertThat(peer.waitFor(20, TimeUnit.SECONDS)).as("an end").isTrue();
            assertThat(peer.getInputStream().readAllBytes()).isEmpty();
        } finally {
            peer.destroyForcibly();
        }
    }

    private Process peer(X509Bundle own, String... options) throws Exception {
        return peer(List.of("-quiet"), own, options);
    }

    private Process peer(List<String> mode, X509Bundle own, String... options) throws Exception {
        Path files = Files.createDirectories(directory.resolve("openssl"));
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + port()));
        command.addAll(mode);
        command.addAll(Arrays.asList(options));
        command.addAll(List.of("-CAfile", directory.resolve("provider/ca.crt").toString()));
        if (own != null) {
            Path certificate = Files.writeString(files.resolve("own.crt"), own.getCertificatePathPEM());
            Path key = Files.writeString(files.resolve("own.key"), own.getPrivateKeyPEM());
            command.addAll(List.of("-cert", certificate.toString(), "-key", key.toString()));
        }
        return new ProcessBuilder(command)
                .redirectError(directory.resolve("openssl.err").toFile())
                .start();
    }
}
