package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.document.Config;
import io.netty.pkitesting.CertificateBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class CertificateChecksTest {
    private static final Instant BEGIN = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant END = Instant.parse("2026-12-01T00:00:00Z");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(
                folder.resolve("tls.crt"),
                new CertificateBuilder()
                        .ecp256()
                        .subject("CN=test")
                        .notBefore(BEGIN)
                        .notAfter(END)
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned()
                        .getCertificatePEM());
    }

    private List<Finding> check(Path checked, Instant now) {
        return check("127.0.0.1", checked, now);
    }

    private List<Finding> check(String adminHost, Path checked, Instant now) {
        return CertificateChecks.check(
                adminHost,
                new Config(List.of(
                        new Config.Setting("mesh.tls.cert", checked.toString(), "", ""),
                        new Config.Setting("mesh.tls.ca", "", "", ""),
                        new Config.Setting("mesh.tls.key", "***", "", ""))),
                now);
    }

    @Test
    void aFileOfAnotherMachineIsNotLookedForOnThisOne() {
        assertThat(check("192.0.2.7", file, END))
                .containsExactly(Finding.ok("mesh.tls.cert " + file
                        + ": not looked at, since 192.0.2.7 is not an address of this machine"));
        assertThat(check("localhost", file, BEGIN))
                .first()
                .isEqualTo(check(file, BEGIN).get(0));
    }

    @Test
    void aRelativePathIsNotLookedForInTheDirectoryOfThisProcess() {
        assertThat(check(Path.of("tls", "tls.crt"), END))
                .containsExactly(Finding.ok("mesh.tls.cert " + Path.of("tls", "tls.crt")
                        + ": not looked at, since the agent may have started in another directory"));
    }

    @Test
    void aCertificateThatLastsIsRight() {
        assertThat(check(file, BEGIN))
                .containsExactly(
                        Finding.ok("mesh.tls.cert " + file + ": its certificates last until 2026-12-01T00:00:00Z"));
    }

    @Test
    void aCertificateThatEndsSoonIsAWarningAndOneThatHasEndedAFault() {
        String remedy = "renew it; the agent reads the file again when it has changed";

        assertThat(check(file, Instant.parse("2026-11-20T00:00:00Z")))
                .containsExactly(
                        Finding.warn("mesh.tls.cert " + file + ": a certificate ends at 2026-12-01T00:00:00Z", remedy));
        assertThat(check(file, END))
                .containsExactly(Finding.fail(
                        "mesh.tls.cert " + file + ": a certificate ended at 2026-12-01T00:00:00Z", remedy));
    }

    @Test
    void aFileThatIsNotHereIsNoFault() {
        assertThat(check(folder.resolve("elsewhere.crt"), BEGIN))
                .containsExactly(Finding.ok("mesh.tls.cert " + folder.resolve("elsewhere.crt")
                        + ": cannot be read here, so its end is not known"));
    }

    @Test
    void aFileWithoutACertificateIsAFault() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.crt"), "");

        assertThat(check(empty, BEGIN))
                .containsExactly(Finding.fail(
                        "mesh.tls.cert " + empty + " cannot be read: no certificate in it",
                        "name a file with certificates in PEM"));
    }
}
