package io.dubbomesh.transport.tls;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.util.Set;

/**
 * Handshakes are not signed over SHA-1 (RFC 9155) nor SHA-224, by neither side: a JDK does so for peers that ask for
 * nothing better. What the JDK itself refuses, it goes on refusing.
 */
final class StrongSignatures implements AlgorithmConstraints {
    static final StrongSignatures INSTANCE = new StrongSignatures();

    /**
     * The JDK's names of the weak signatures that it knows (RFC 8446, section 4.2.3, and RFC 5246, section 7.4.1.4.1).
     */
    private static final Set<String> WEAK =
            Set.of("ecdsa_sha1", "rsa_pkcs1_sha1", "dsa_sha1", "ecdsa_sha224", "rsa_sha224", "dsa_sha224");

    private StrongSignatures() {}

    /** Demands strong signatures of an engine, before its handshake. */
    static void demandOf(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setAlgorithmConstraints(INSTANCE);
        engine.setSSLParameters(parameters);
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, AlgorithmParameters parameters) {
        return !WEAK.contains(algorithm);
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
        return true;
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, Key key, AlgorithmParameters parameters) {
        return permits(primitives, algorithm, parameters);
    }
}
