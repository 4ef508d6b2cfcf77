package io.dubbomesh.testsupport.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** A certificate authority of a test. It signs keys of elliptic curves unless a method says otherwise. */
public final class CertificateAuthority {
    private final X509Bundle root;

    public CertificateAuthority(String name) throws Exception {
        root = new CertificateBuilder()
                .ecp256()
                .subject("CN=" + name)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    public X509Bundle sign(String dnsName) throws Exception {
        return sign(certificate(dnsName));
    }

    public X509Bundle signRsa(String dnsName) throws Exception {
        return sign(certificate(dnsName).rsa2048());
    }

    /** Signs a certificate that was valid until yesterday. */
    public X509Bundle signExpired(String dnsName) throws Exception {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        return sign(certificate(dnsName)
                .notBefore(yesterday.minus(Duration.ofDays(1)))
                .notAfter(yesterday));
    }

    public X509Bundle sign(CertificateBuilder certificate) throws Exception {
        return certificate.buildIssuedBy(root);
    }

    private static CertificateBuilder certificate(String dnsName) {
        return new CertificateBuilder().ecp256().subject("CN=" + dnsName).addSanDnsName(dnsName);
    }

    /** Returns its own certificate with its key. */
    public X509Bundle root() {
        return root;
    }

    public String pem() {
        return root.getCertificatePEM();
    }

    /** Writes a certificate and what its owner trusts, this authority alone, into a directory, or writes them anew. */
    public TlsFiles write(Path directory, X509Bundle own) throws IOException {
        return TlsFiles.write(directory, own, pem());
    }
}
