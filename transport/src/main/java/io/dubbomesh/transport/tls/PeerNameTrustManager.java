package io.dubbomesh.transport.tls;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Trusts the peers that another trust manager trusts and whose certificate has one of some DNS names. */
final class PeerNameTrustManager extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager others;
    private final List<String> names;
    private final String setting;

    /** @param setting that has the names, for messages */
    PeerNameTrustManager(X509ExtendedTrustManager others, List<String> names, String setting) {
        this.others = others;
        this.names = names;
        this.setting = setting;
    }

    private void checkName(X509Certificate certificate) throws CertificateException {
        List<String> borne = new ArrayList<>();
        for (List<?> name : AlternativeNames.of(certificate)) {
            if (name.get(0).equals(AlternativeNames.DNS_NAME)) {
                borne.add((String) name.get(1));
            }
        }
        for (String name : names) {
            if (borne.stream().anyMatch(other -> isSame(name, other))) {
                return;
            }
        }
        throw new CertificateException(
                "DNS names " + borne + " (expected: one of " + names + ", as " + setting + " says)");
    }

    /**
     * But for the case of ASCII letters. Others are the same as nothing: to Java the Kelvin sign is a k, and each byte
     * beyond ASCII is alike.
     */
    private static boolean isSame(String name, String borne) {
        return name.equalsIgnoreCase(borne) && isAscii(name) && isAscii(borne);
    }

    private static boolean isAscii(String name) {
        return name.chars().allMatch(c -> c < 0x80);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        others.checkClientTrusted(chain, authType, engine);
        checkName(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        others.checkServerTrusted(chain, authType, engine);
        checkName(chain[0]);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        others.checkClientTrusted(chain, authType, socket);
        checkName(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        others.checkServerTrusted(chain, authType, socket);
        checkName(chain[0]);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        others.checkClientTrusted(chain, authType);
        checkName(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        others.checkServerTrusted(chain, authType);
        checkName(chain[0]);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return others.getAcceptedIssuers();
    }
}
