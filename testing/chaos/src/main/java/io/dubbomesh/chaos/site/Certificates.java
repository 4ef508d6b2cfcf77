package io.dubbomesh.chaos.site;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The authority of a site, and what it and another one have signed, in files. */
public final class Certificates {
    /** The subject alternative name of all certificates but one. */
    static final String NAME = "mesh.test";

    private final Path directory;
    private final X509Bundle authority = authority();
    private final Identity good;

    Certificates(Path directory) throws Exception {
        this.directory = directory;
        Files.writeString(authorities(), authority.getCertificatePEM());
        good = write("tls", certificate(NAME).buildIssuedBy(authority));
    }

    private static X509Bundle authority() throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    /** What all agents trust. */
    Path authorities() {
        return directory.resolve("ca.crt");
    }

    /** That of all agents. */
    public Identity good() {
        return good;
    }

    public Identity ofAnotherAuthority() throws Exception {
        return write("other", certificate(NAME).buildIssuedBy(authority()));
    }

    public Identity expired() throws Exception {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        CertificateBuilder expired =
                certificate(NAME).notBefore(yesterday.minus(Duration.ofDays(1))).notAfter(yesterday);
        return write("expired", expired.buildIssuedBy(authority));
    }

    public Identity withAnotherName() throws Exception {
        return write("named", certificate("stranger.test").buildIssuedBy(authority));
    }

    private static CertificateBuilder certificate(String name) {
        return new CertificateBuilder().ecp256().subject("CN=mesh").addSanDnsName(name);
    }

    private Identity write(String name, X509Bundle own) throws IOException {
        return new Identity(
                Files.writeString(directory.resolve(name + ".crt"), own.getCertificatePathPEM()),
                Files.writeString(directory.resolve(name + ".key"), own.getPrivateKeyPEM()));
    }

    /** A certificate with its key, in PEM. */
    public record Identity(Path certificate, Path key) {}
}
