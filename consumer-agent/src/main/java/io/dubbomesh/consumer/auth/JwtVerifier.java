package io.dubbomesh.consumer.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;

import java.text.ParseException;
import java.util.Arrays;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds out who the caller of a JWT (RFC 7519) is: by a signature of public keys only, never by a shared secret or
 * none, so that no one can make a token of what the keys tell. Stateless; for any thread.
 */
final class JwtVerifier {
    private static final long SKEW_MS = 30_000;
    private static final int MAX_GROUPS = 256;
    /**
     * The longest header of a token, in encoded characters. Its content is parsed before anything is proven, and a key
     * in it costs most of a millisecond if it may be long.
     */
    private static final int MAX_HEADER = 1024;

    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512,
            JWSAlgorithm.EdDSA,
            JWSAlgorithm.Ed25519);

    private final JwtSettings settings;
    private final Runnable keyIsMissing;

    /** @param keyIsMissing is run for a token of a key that is not there; cheap */
    JwtVerifier(JwtSettings settings, Runnable keyIsMissing) {
        this.settings = settings;
        this.keyIsMissing = keyIsMissing;
    }

    /**
     * @param keys null as long as none are loaded
     * @throws CallException if the token proves nothing
     */
    Caller verify(String token, SigningKeys keys, long nowMs) throws CallException {
        requireBase64Url(token);
        if (token.indexOf('.') > MAX_HEADER) {
            throw LoopAuth.invalid("its header is longer than " + MAX_HEADER + " characters");
        }
        if (keys == null) {
            throw new CallException(Outcome.OVERLOADED, "the keys of http.auth.jwks are not loaded yet");
        }
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            checkHeader(jwt.getHeader(), keys);
            JWK signer = keys.signerOf(jwt);
            if (signer == null) {
                // An issuer may have replaced the key and kept its name, or give it none.
                keyIsMissing.run();
                throw LoopAuth.invalid("its signature is wrong");
            }
            return caller(jwt.getJWTClaimsSet(), nowMs, signer);
        } catch (ParseException | JOSEException | RuntimeException e) {
            // All that a caller may do to the library is wrong with its token.
            throw LoopAuth.invalid("not a signed JWT of a known form");
        }
    }

    /** Requires base64url: the library would skip any other character. */
    private static void requireBase64Url(String token) throws CallException {
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            if (!(c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || c == '-'
                    || c == '_'
                    || c == '.')) {
                throw LoopAuth.invalid("not a JWT");
            }
        }
    }

    private void checkHeader(JWSHeader header, SigningKeys keys) throws CallException {
        JWSAlgorithm algorithm = header.getAlgorithm();
        if (!ALGORITHMS.contains(algorithm)) {
            throw LoopAuth.invalid("the algorithm " + Quoted.text(algorithm.getName())
                    + " (expected: RS, PS or ES with 256, 384 or 512, or EdDSA)");
        }
        if (header.getCriticalParams() != null) {
            throw LoopAuth.invalid("its header has crit, of which none is understood");
        }
        if (!keys.hasKeyFor(header.getKeyID(), algorithm)) {
            keyIsMissing.run();
            throw LoopAuth.invalid("its issuer has no key "
                    + (header.getKeyID() == null ? "" : Quoted.text(header.getKeyID()) + ' ') + "for "
                    + algorithm.getName());
        }
    }

    /** Returns the caller named by the claims; called only after the signature is verified. */
    private Caller caller(JWTClaimsSet claims, long nowMs, JWK signer) throws CallException, ParseException {
        Date expires = claims.getExpirationTime();
        if (expires == null) {
            throw LoopAuth.invalid("it has no exp");
        }
        long expiresMs = expires.getTime() + SKEW_MS;
        if (nowMs >= expiresMs) {
            throw LoopAuth.invalid("it has expired");
        }
        Date notBefore = claims.getNotBeforeTime();
        if (notBefore != null && nowMs < notBefore.getTime() - SKEW_MS) {
            throw LoopAuth.invalid("it is not valid yet");
        }
        if (!settings.isIssuer(claims.getIssuer())) {
            throw LoopAuth.invalid("its iss is " + shown(claims.getIssuer()) + " (expected: that of http.auth.issuer)");
        }
        if (!settings.isAudience(claims.getAudience())) {
            throw LoopAuth.invalid("its aud is " + shown(String.join(", ", claims.getAudience()))
                    + " (expected: that of http.auth.audience)");
        }
        String subject = claims.getStringClaim(settings.subjectClaim());
        if (subject == null || subject.isBlank() || subject.length() > Caller.MAX_SUBJECT) {
            throw LoopAuth.invalid("it has no subject of 1 to " + Caller.MAX_SUBJECT + " characters");
        }
        return new Caller(
                AuthSettings.Kind.JWT, subject, groups(claims.getClaim(settings.groupsClaim())), expiresMs, signer);
    }

    /**
     * Returns a claim for an answer to the owner of its token. Values of the agent's settings are not shown: only the
     * operator may know them.
     */
    private static String shown(String claim) {
        return claim == null || claim.isEmpty() ? "missing" : Quoted.text(claim);
    }

    /** Returns an array of texts, or one text with spaces between the names, as {@code scope} is. */
    private static Set<String> groups(Object claim) throws CallException {
        List<?> names = claim instanceof List<?> list
                ? list
                : claim instanceof String text ? Arrays.asList(text.split(" ")) : List.of();
        if (names.size() > MAX_GROUPS) {
            throw LoopAuth.invalid(names.size() + " groups (expected: at most " + MAX_GROUPS + ")");
        }
        Set<String> groups = new HashSet<>();
        for (Object name : names) {
            if (name instanceof String text && !text.isEmpty()) {
                groups.add(text);
            }
        }
        return groups;
    }
}
