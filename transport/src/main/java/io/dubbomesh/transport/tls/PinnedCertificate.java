package io.dubbomesh.transport.tls;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/** Trusts servers that have one certificate, under any name, and no clients. */
final class PinnedCertificate extends X509ExtendedTrustManager {
    private final X509Certificate certificate;

    PinnedCertificate(X509Certificate certificate) {
        this.certificate = certificate;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (!chain[0].equals(certificate)) {
            throw new CertificateException("another certificate than the agent's own");
        }
    }

    private static CertificateException noClients() {
        return new CertificateException("no client is trusted");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
