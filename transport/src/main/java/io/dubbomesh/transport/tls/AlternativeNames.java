package io.dubbomesh.transport.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** The alternative names of a certificate's subject, each a tag and a value (RFC 5280, 4.2.1.6). */
final class AlternativeNames {
    static final int DNS_NAME = 2;
    static final int URI = 6;

    private AlternativeNames() {}

    /**
     * Returns the names; empty if there are none.
     *
     * @throws CertificateParsingException if one of them is malformed
     */
    static Collection<List<?>> of(X509Certificate certificate) throws CertificateParsingException {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (RuntimeException e) {
            // Thrown by the JDK for an address of 32 bytes whose mask has a gap.
            throw new CertificateParsingException(e.getMessage(), e);
        }
    }
}
