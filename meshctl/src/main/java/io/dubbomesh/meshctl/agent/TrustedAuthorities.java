package io.dubbomesh.meshctl.agent;

import io.dubbomesh.runtime.FileFailure;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

/** TLS that trusts the authorities in a file alone. */
public final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /**
     * @param option that names the file, for messages
     * @throws MeshctlException if it is no file with certificates in PEM
     */
    public static SSLContext read(String option, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load(null);
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                authorities.setCertificateEntry(String.valueOf(authorities.size()), each);
            }
            if (authorities.size() == 0) {
                throw new MeshctlException(option + ": " + file + " has no certificate (expected: PEM)");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trust.getTrustManagers(), null);
            return tls;
        } catch (IOException e) {
            throw new MeshctlException(option + ": cannot read " + file + " (" + FileFailure.reason(e) + ')');
        } catch (GeneralSecurityException e) {
            throw new MeshctlException(option + ": " + file + " (expected: certificates in PEM): " + e.getMessage());
        }
    }
}
