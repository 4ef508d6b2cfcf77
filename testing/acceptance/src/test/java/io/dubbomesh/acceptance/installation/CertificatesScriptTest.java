package io.dubbomesh.acceptance.installation;

import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code scripts/certificates.sh} */
@Timeout(180)
class CertificatesScriptTest {
    private static final String SCRIPT = "../../scripts/certificates.sh";

    @TempDir
    Path folder;

    @Test
    void anAuthoritySignsACertificateForEachName() throws Exception {
        assertThat(run(SCRIPT, certs(), "localhost", "192.0.2.1")).startsWith("0 ");
        assertThat(run(SCRIPT, certs(), "app.example")).startsWith("0 ");

        for (String name : List.of("localhost", "192.0.2.1", "app.example")) {
            Path certificate = folder.resolve("certs").resolve(name + ".crt");
            String option = name.equals("192.0.2.1") ? "-verify_ip" : "-verify_hostname";
            assertThat(run("openssl", "verify", "-CAfile", certs() + "/ca.crt", option, name, certificate.toString()))
                    .startsWith("0 ");
            Path key = folder.resolve("certs").resolve(name + ".key");
            assertThat(Files.readString(key)).startsWith("-----BEGIN PRIVATE KEY-----");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void nothingIsReplaced() throws Exception {
        run(SCRIPT, certs(), "localhost");
        Path key = folder.resolve("certs").resolve("localhost.key");
        String before = Files.readString(key);

        assertThat(run(SCRIPT, certs(), "other", "localhost"))
                .isEqualTo("1 certificates.sh: " + certs()
                        + " has localhost.key or localhost.crt already (expected: neither)\n");
        assertThat(Files.readString(key)).isEqualTo(before);
        assertThat(folder.resolve("certs").resolve("other.key")).doesNotExist();
    }

    @Test
    void aNameIsNoPath() throws Exception {
        assertThat(run(SCRIPT, certs(), "../x"))
                .isEqualTo(
                        "1 certificates.sh: ../x (expected: a DNS name or an IP address, of at most 64 characters)\n");
    }

    private String certs() {
        return folder.resolve("certs").toString();
    }

    /** The exit code, and what the command says. */
    private static String run(String... command) {
        CompletedProcess process = CompletedProcess.run(command);
        return process.exitCode() + " " + process.output();
    }
}
