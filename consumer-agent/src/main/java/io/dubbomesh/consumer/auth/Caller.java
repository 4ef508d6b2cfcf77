package io.dubbomesh.consumer.auth;

import com.nimbusds.jose.jwk.JWK;

import java.util.Set;

/**
 * A caller, as far as its token proves it.
 *
 * @param kind      of its token: a name is that of another caller with each kind
 * @param subject   its name
 * @param groups    that it belongs to
 * @param expiresMs when this ends, by {@link System#currentTimeMillis()}
 * @param key       that has signed its token; null if none has
 */
record Caller(AuthSettings.Kind kind, String subject, Set<String> groups, long expiresMs, JWK key) {
    static final long NEVER = Long.MAX_VALUE;
    /** Longer names are refused: they are in logs and in answers. */
    static final int MAX_SUBJECT = 256;
}
