package io.dubbomesh.transport.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A certificate authority, and what it signs in files, as agents have them. */
final class Authority {
    /** The first handshake of a JVM takes many seconds on a busy machine. */
    private static final long HANDSHAKE_TIMEOUT_MS = 20_000;

    private final X509Bundle root;

    Authority(String name) throws Exception {
        root = new CertificateBuilder()
                .ecp256()
                .subject("CN=" + name)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    X509Bundle sign(String dnsName) throws Exception {
        return certificate(dnsName).buildIssuedBy(root);
    }

    X509Bundle signRsa(String dnsName) throws Exception {
        return certificate(dnsName).rsa2048().buildIssuedBy(root);
    }

    X509Bundle signExpired(String dnsName) throws Exception {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        return certificate(dnsName)
                .notBefore(yesterday.minus(Duration.ofDays(1)))
                .notAfter(yesterday)
                .buildIssuedBy(root);
    }

    private static CertificateBuilder certificate(String dnsName) {
        return new CertificateBuilder().ecp256().subject("CN=agent").addSanDnsName(dnsName);
    }

    String pem() {
        return root.getCertificatePEM();
    }

    /** Writes the three files into a directory, or writes them anew. */
    TlsSettings write(Path directory, X509Bundle own, String... peerNames) throws IOException {
        Files.createDirectories(directory);
        TlsSettings settings = TlsSettings.ofLinks(
                directory.resolve("tls.crt"),
                directory.resolve("tls.key"),
                directory.resolve("ca.crt"),
                List.of(peerNames),
                HANDSHAKE_TIMEOUT_MS);
        Files.writeString(settings.certificates(), own.getCertificatePathPEM());
        Files.writeString(settings.key(), own.getPrivateKeyPEM());
        Files.writeString(settings.peers().authorities(), pem());
        return settings;
    }
}
