package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TlsFilesTest {
    private static CertificateAuthority authority;
    private static X509Bundle agent;

    @TempDir
    Path directory;

    private TlsSettings settings;

    @BeforeAll
    static void sign() throws Exception {
        authority = new CertificateAuthority("ca");
        agent = authority.sign("agent.test");
    }

    @BeforeEach
    void write() throws Exception {
        settings = LinkFiles.write(authority, directory, agent);
    }

    @Test
    void keysMayBeEcOrRsa() throws Exception {
        use();
        authority.write(directory, authority.signRsa("agent.test"));
        use();
    }

    @Test
    void readingsAreEqualAsLongAsTheFilesHoldTheSame() throws Exception {
        TlsFiles first = TlsFiles.read(settings);
        assertThat(TlsFiles.read(settings)).isEqualTo(first);

        Files.writeString(settings.peers().authorities(), authority.pem() + new CertificateAuthority("another").pem());
        assertThat(TlsFiles.read(settings)).isNotEqualTo(first);
    }

    @Test
    void textAroundTheBlocksIsNoMatter() throws Exception {
        Files.writeString(settings.certificates(), "of: the agent - 1\n" + agent.getCertificatePEM() + "\n\nend");
        Files.writeString(settings.key(), agent.getPrivateKeyPEM().replace("\n", "\r\n"));

        use();
    }

    @Test
    void aKeyThatEveryUserCanReadIsLogged() throws Exception {
        try (RecordedLog log = new RecordedLog(SecretFile.class)) {
            permitKey("rw-------");
            new TlsContext(settings, files -> files.toAccept(settings)).close();
            assertThat(log.lines()).isEmpty();

            permitKey("rw-r--r--");
            new TlsContext(settings, files -> files.toAccept(settings)).close();
            assertThat(log.lines())
                    .containsExactly("mesh.tls.key: " + settings.key()
                            + " can be read by every user of this machine (expected: chmod o-rwx)");
        }
    }

    private void permitKey(String permissions) throws Exception {
        Files.setPosixFilePermissions(settings.key(), PosixFilePermissions.fromString(permissions));
    }

    @Test
    void aMissingFileIsNamed() throws Exception {
        Files.delete(settings.key());

        assertWrong("mesh.tls.key: " + settings.key() + " (no such file)");
    }

    @Test
    void aDirectoryIsNoFile() throws Exception {
        Files.delete(settings.peers().authorities());
        Files.createDirectory(settings.peers().authorities());

        assertWrong("mesh.tls.ca: " + settings.peers().authorities() + " (not a file)");
    }

    @Test
    void aFileOfAnotherKindIsNamed() throws Exception {
        Files.writeString(settings.certificates(), "garbage");
        assertWrong("mesh.tls.cert: " + settings.certificates() + " (expected: \"-----BEGIN CERTIFICATE-----\")");

        Files.writeString(settings.certificates(), agent.getPrivateKeyPEM());
        assertWrong("mesh.tls.cert: " + settings.certificates()
                + " (expected: \"-----BEGIN CERTIFICATE-----\", found: \"-----BEGIN PRIVATE KEY-----\")");
    }

    @Test
    void aKeyThatIsNotPkcs8IsNamed() throws Exception {
        Files.writeString(settings.key(), "-----BEGIN RSA PRIVATE KEY-----\nAA==\n-----END RSA PRIVATE KEY-----\n");

        assertWrong("mesh.tls.key: " + settings.key()
                + " (expected: \"-----BEGIN PRIVATE KEY-----\", found: \"-----BEGIN RSA PRIVATE KEY-----\")");
    }

    @Test
    void aFileThatEndsTooEarlyIsNamed() throws Exception {
        String chain = agent.getCertificatePEM();
        Files.writeString(settings.certificates(), chain + chain.substring(0, 200));

        assertWrong("mesh.tls.cert: " + settings.certificates()
                + " (\"-----BEGIN CERTIFICATE-----\" without \"-----END CERTIFICATE-----\")");
    }

    @Test
    void aBlockThatIsNotACertificateIsNamed() throws Exception {
        Files.writeString(
                settings.peers().authorities(),
                authority.pem() + authority.pem().replace("MII", "MIX"));

        assertThatThrownBy(this::use)
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("mesh.tls.ca: " + settings.peers().authorities() + " (malformed certificate: ");
    }

    @Test
    void theKeyMustBeThatOfTheCertificate() throws Exception {
        for (X509Bundle another : List.of(authority.sign("agent.test"), authority.signRsa("agent.test"))) {
            Files.writeString(settings.key(), another.getPrivateKeyPEM());

            assertWrong("mesh.tls.key: " + settings.key() + " (not the key of the certificate in "
                    + settings.certificates() + ")");
        }
    }

    @Test
    void aKeyThatTheJdkCannotUseForTlsIsNamed() throws Exception {
        X509Bundle ed25519 = new CertificateBuilder()
                .algorithm(CertificateBuilder.Algorithm.ed25519)
                .subject("CN=agent")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(settings.certificates(), ed25519.getCertificatePEM());

        assertWrong(
                "mesh.tls.cert: " + settings.certificates() + " (a certificate of an EdDSA key, expected: RSA or EC)");
    }

    @Test
    void aChainWithoutAnAuthorityIsNamed() throws Exception {
        Files.writeString(
                settings.certificates(),
                agent.getCertificatePEM()
                        + new CertificateAuthority("another").sign("x").getCertificatePEM());

        assertThatThrownBy(this::use)
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("mesh.tls.cert: " + settings.certificates() + " (");
    }

    @Test
    void aPeerIsVerifiedAgainAfterAnHour() {
        assertThat(TlsFiles.read(settings).toAccept(settings).sessionContext().getSessionTimeout())
                .isEqualTo(3600);
    }

    private void use() {
        TlsFiles files = TlsFiles.read(settings);
        assertThat(files.toAccept(settings)).isNotNull();
        assertThat(files.toConnect(settings)).isNotNull();
    }

    private void assertWrong(String message) {
        assertThatThrownBy(this::use).isInstanceOf(SettingsException.class).hasMessage(message);
    }
}
