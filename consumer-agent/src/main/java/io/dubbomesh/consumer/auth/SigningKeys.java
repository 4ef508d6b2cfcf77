package io.dubbomesh.consumer.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.JSONObjectUtils;

import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The public keys of a JWK set (RFC 7517) that tokens may be signed with. Immutable; for any thread. */
final class SigningKeys {
    static final int MAX_BYTES = 256 << 10;
    private static final int MAX_KEYS = 256;
    private static final int MIN_RSA_BITS = 2048;
    /** A token without a key's id is tried with so many keys. */
    private static final int MAX_TRIED = 4;

    private record SigningKey(JWK key, String algorithm, JWSVerifier verifier) {
        boolean fits(JWSAlgorithm wanted) {
            return (algorithm == null || algorithm.equals(wanted.getName()))
                    && verifier.supportedJWSAlgorithms().contains(wanted);
        }
    }

    private final List<SigningKey> keys = new ArrayList<>();
    private final Set<JWK> all = new HashSet<>();

    /**
     * Reads a JWK set; keys of other kinds and for other uses do not count, nor do malformed ones.
     *
     * @throws IllegalArgumentException if no key is left, or there are too many
     */
    static SigningKeys parse(String text) {
        if (text.length() > MAX_BYTES) {
            throw new IllegalArgumentException("larger than " + (MAX_BYTES >> 10) + " KiB");
        }
        SigningKeys signing = new SigningKeys();
        for (Object each : listed(text)) {
            if (each instanceof Map<?, ?> members) {
                signing.addIfUsable(members);
            }
        }
        if (signing.keys.isEmpty()) {
            throw new IllegalArgumentException(
                    "no key for signatures (expected: a JWK set with public keys of RSA, of EC or of Ed25519)");
        }
        return signing;
    }

    private static List<?> listed(String text) {
        try {
            Map<String, Object> set = JSONObjectUtils.parse(text);
            if (set != null && set.get("keys") instanceof List<?> list) {
                if (list.size() > MAX_KEYS) {
                    throw new IllegalArgumentException(list.size() + " keys (expected: at most " + MAX_KEYS + ")");
                }
                return list;
            }
        } catch (ParseException e) {
            // The parser's message may show a part of the text.
        }
        throw new IllegalArgumentException("not a JWK set (expected: a JSON object with the member keys)");
    }

    @SuppressWarnings("unchecked")
    private void addIfUsable(Map<?, ?> members) {
        try {
            JWK key = JWK.parse((Map<String, Object>) members);
            JWSVerifier verifier = isForSignatures(key) ? verifier(key) : null;
            if (verifier != null) {
                String algorithm =
                        key.getAlgorithm() == null ? null : key.getAlgorithm().getName();
                keys.add(new SigningKey(key, algorithm, verifier));
                all.add(key);
            }
        } catch (ParseException | JOSEException | GeneralSecurityException | RuntimeException e) {
            // One malformed key does not take the others away.
        }
    }

    /** Returns whether the key is for signatures: its owner may say it by use, by key_ops, by both or not at all. */
    private static boolean isForSignatures(JWK key) {
        return (key.getKeyUse() == null || key.getKeyUse() == KeyUse.SIGNATURE)
                && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY));
    }

    /** Returns null for a key that proves nothing. */
    private static JWSVerifier verifier(JWK key) throws JOSEException, GeneralSecurityException {
        return switch (key.getKeyType().getValue()) {
            case "RSA" ->
                key.size() < MIN_RSA_BITS
                        ? null
                        : new RSASSAVerifier(key.toRSAKey().toRSAPublicKey());
            case "EC" -> new ECDSAVerifier(key.toECKey().toECPublicKey());
            case "OKP" -> {
                OctetKeyPair pair = key.toOctetKeyPair();
                yield pair.getCurve().equals(Curve.Ed25519) ? new Ed25519JdkVerifier(pair.getDecodedX()) : null;
            }
            default -> null;
        };
    }

    /** Returns whether a key fits the token's header. */
    boolean hasKeyFor(String keyId, JWSAlgorithm algorithm) {
        return keys.stream().anyMatch(key -> isFor(key, keyId, algorithm));
    }

    private static boolean isFor(SigningKey key, String keyId, JWSAlgorithm algorithm) {
        return (keyId == null || keyId.equals(key.key().getKeyID())) && key.fits(algorithm);
    }

    /** Returns whether what this key has signed is valid. */
    boolean has(JWK key) {
        return all.contains(key);
    }

    /** Returns the key that has signed the token; null if none of them has. */
    JWK signerOf(JWSObject token) throws JOSEException {
        int tried = 0;
        for (SigningKey key : keys) {
            if (isFor(key, token.getHeader().getKeyID(), token.getHeader().getAlgorithm())) {
                if (token.verify(key.verifier())) {
                    return key.key();
                }
                if (++tried == MAX_TRIED) {
                    return null;
                }
            }
        }
        return null;
    }
}
