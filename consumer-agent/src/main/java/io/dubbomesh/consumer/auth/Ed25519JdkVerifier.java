package io.dubbomesh.consumer.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Set;

/** Ed25519 (RFC 8037) by the JDK; the library's own verifier needs a further library. */
final class Ed25519JdkVerifier implements JWSVerifier {
    private static final String NAME = "Ed25519";
    private static final int KEY_BYTES = 32;
    private static final Set<JWSAlgorithm> SUPPORTED = Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519);

    private final PublicKey key;
    private final JCAContext context = new JCAContext();

    /** @param encoded the public key as in RFC 8032: y little-endian, and the lowest bit of x as the highest one */
    Ed25519JdkVerifier(byte[] encoded) throws GeneralSecurityException {
        if (encoded.length != KEY_BYTES) {
            throw new GeneralSecurityException(encoded.length + " bytes (expected: " + KEY_BYTES + ")");
        }
        byte[] y = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++) {
            y[i] = encoded[KEY_BYTES - 1 - i];
        }
        boolean xIsOdd = y[0] < 0;
        y[0] &= 0x7f;
        EdECPoint point = new EdECPoint(xIsOdd, new BigInteger(1, y));
        key = KeyFactory.getInstance(NAME).generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signed, Base64URL signature) throws JOSEException {
        try {
            Signature verifier = Signature.getInstance(NAME);
            verifier.initVerify(key);
            verifier.update(signed);
            return verifier.verify(signature.decode());
        } catch (SignatureException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new JOSEException(e.getMessage(), e);
        }
    }

    @Override
    public Set<JWSAlgorithm> supportedJWSAlgorithms() {
        return SUPPORTED;
    }

    @Override
    public JCAContext getJCAContext() {
        return context;
    }
}
