package io.dubbomesh.registry.dubbo;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes the ids of entries: digests of their keys, which are longer than what is kept of an entry. One object makes
 * them all, since the JVM looks for the algorithm with each digest. Belongs to one thread.
 */
final class EntryIds {
    private final MessageDigest digest;

    EntryIds() {
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has MD5", e);
        }
    }

    UUID of(String key) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest(key.getBytes(UTF_8)));
        return new UUID(bytes.getLong(), bytes.getLong());
    }
}
