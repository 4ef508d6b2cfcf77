package io.dubbomesh.transport.tls;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;

/** The name by which the owner of a certificate is known. */
final class PeerName {
    private static final int MAX_LENGTH = 256;

    private PeerName() {}

    /**
     * Returns the first alternative name that is a DNS name or a URI, else the common name; empty if there is none that
     * can be printed.
     */
    static String of(X509Certificate certificate) {
        try {
            for (List<?> alternative : AlternativeNames.of(certificate)) {
                if (alternative.get(0).equals(AlternativeNames.DNS_NAME)
                        || alternative.get(0).equals(AlternativeNames.URI)) {
                    return printable(alternative.get(1));
                }
            }
            return printable(commonName(
                    new LdapName(certificate.getSubjectX500Principal().getName())));
        } catch (CertificateParsingException | InvalidNameException e) {
            return "";
        }
    }

    /** Returns the most specific one. */
    private static Object commonName(LdapName subject) {
        for (int i = subject.size() - 1; i >= 0; i--) {
            Rdn part = subject.getRdn(i);
            if (part.getType().equalsIgnoreCase("CN")) {
                return part.getValue();
            }
        }
        return "";
    }

    private static String printable(Object name) {
        boolean usable = name instanceof String text
                && text.length() <= MAX_LENGTH
                && text.chars().allMatch(c -> c >= ' ' && c <= '~');
        return usable ? (String) name : "";
    }
}
