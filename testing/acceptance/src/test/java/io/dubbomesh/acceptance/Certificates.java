package io.dubbomesh.acceptance;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A certificate authority of a test, and directories with the files it has signed, laid out like a Kubernetes secret.
 */
final class Certificates {
    private final X509Bundle root;

    Certificates(String name) throws Exception {
        root = new CertificateBuilder()
                .ecp256()
                .subject("CN=" + name)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    X509Bundle sign(String dnsName) throws Exception {
        return certificate(dnsName).buildIssuedBy(root);
    }

    X509Bundle signExpired(String dnsName) throws Exception {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        return certificate(dnsName)
                .notBefore(yesterday.minus(Duration.ofDays(1)))
                .notAfter(yesterday)
                .buildIssuedBy(root);
    }

    private static CertificateBuilder certificate(String dnsName) {
        return new CertificateBuilder().ecp256().subject("CN=" + dnsName).addSanDnsName(dnsName);
    }

    String pem() {
        return root.getCertificatePEM();
    }

    /** Writes the files of an agent, or writes them anew, one after the other. */
    static void write(Path directory, X509Bundle own, String authorities) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("ca.crt"), authorities);
        Files.writeString(directory.resolve("tls.crt"), own.getCertificatePathPEM());
        Files.writeString(directory.resolve("tls.key"), own.getPrivateKeyPEM());
    }

    /** The settings of an agent that has these files. */
    static Map<String, String> settings(Path directory, String peerNames) {
        return Map.of(
                "mesh.tls.cert", directory.resolve("tls.crt").toString(),
                "mesh.tls.key", directory.resolve("tls.key").toString(),
                "mesh.tls.ca", directory.resolve("ca.crt").toString(),
                "mesh.tls.peer-names", peerNames);
    }
}
