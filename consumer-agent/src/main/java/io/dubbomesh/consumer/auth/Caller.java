package io.dubbomesh.consumer.auth;

import java.util.Set;

/**
 * Who calls, as far as its token proves it.
 *
 * @param subject   its name
 * @param groups    that it belongs to
 * @param expiresMs when this ends, by {@link System#currentTimeMillis()}
 */
record Caller(String subject, Set<String> groups, long expiresMs) {
    static final long NEVER = Long.MAX_VALUE;
    /** Longer names are refused: they are in logs and in answers. */
    static final int MAX_SUBJECT = 256;
}
