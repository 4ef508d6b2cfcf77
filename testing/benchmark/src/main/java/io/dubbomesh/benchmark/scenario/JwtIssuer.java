package io.dubbomesh.benchmark.scenario;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Base64.Encoder;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Signs tokens of clients (RFC 7515, RFC 7519) by RS256, which most issuers use. */
final class JwtIssuer {
    static final String ISSUER = "https://issuer.example";
    static final String AUDIENCE = "dubbo-mesh";

    private static final int KEY_BITS = 2048;
    private static final String KEY_ID = "bench";
    private static final Duration LIFETIME = Duration.ofDays(1);
    private static final Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final KeyPair keys;

    JwtIssuer() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        keys = generator.generateKeyPair();
    }

    /** The public key as a JWK set (RFC 7517). */
    String keys() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"alg\":\"RS256\",\"use\":\"sig\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                .formatted(KEY_ID, unsigned(key.getModulus()), unsigned(key.getPublicExponent()));
    }

    private static String unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int from = bytes[0] == 0 ? 1 : 0;
        byte[] magnitude = new byte[bytes.length - from];
        System.arraycopy(bytes, from, magnitude, 0, magnitude.length);
        return BASE64.encodeToString(magnitude);
    }

    String token(String subject) throws GeneralSecurityException {
        String header = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"%s\"}".formatted(KEY_ID);
        String claims = "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"%s\",\"exp\":%d}"
                .formatted(
                        ISSUER, AUDIENCE, subject, Instant.now().plus(LIFETIME).getEpochSecond());
        String signed = encoded(header) + "." + encoded(claims);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(signed.getBytes(US_ASCII));
        return signed + "." + BASE64.encodeToString(signature.sign());
    }

    private static String encoded(String json) {
        return BASE64.encodeToString(json.getBytes(US_ASCII));
    }
}
