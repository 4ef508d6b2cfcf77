package io.dubbomesh.protocol.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The credentials of a HELLO: none, the challenge of a provider agent, or the answer of a consumer agent, which only a
 * peer that has the token can compute. The token itself is never sent:
 * <pre>
 *  answer = HMAC-SHA256(token, "dubbo-mesh HELLO 1" | challenge | agent id)
 *                               18 bytes of ASCII     32 bytes    64 bits, big-endian
 * </pre>
 * Immutable; {@link #toString} has none of the bytes.
 */
public final class HelloCredentials {
    public static final HelloCredentials NONE = new HelloCredentials(new byte[0]);

    static final int MAX_LENGTH = 4096;
    private static final int CHALLENGE_LENGTH = 32;
    private static final byte[] LABEL = "dubbo-mesh HELLO 1".getBytes(US_ASCII);
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] bytes;

    private HelloCredentials(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads them from within a HELLO. */
    static HelloCredentials read(ByteBuf in, int offset, int length) {
        return length == 0 ? NONE : new HelloCredentials(ByteBufUtil.getBytes(in, offset, length));
    }

    /** @throws IllegalArgumentException if they are longer than a HELLO allows */
    public static HelloCredentials of(byte[] bytes) {
        if (bytes.length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "credentials: " + bytes.length + " bytes (expected: at most " + MAX_LENGTH + ')');
        }
        return new HelloCredentials(bytes.clone());
    }

    /** Returns a challenge for one connection, which is never used again. */
    public static HelloCredentials challenge(SecureRandom random) {
        byte[] bytes = new byte[CHALLENGE_LENGTH];
        random.nextBytes(bytes);
        return new HelloCredentials(bytes);
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Returns whether they can be a challenge that this version knows how to answer. */
    public boolean isChallenge() {
        return bytes.length == CHALLENGE_LENGTH;
    }

    /**
     * Returns the answer to this challenge.
     *
     * @param agentId that stands in the same HELLO
     */
    public HelloCredentials answer(byte[] token, long agentId) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(token, ALGORITHM));
            mac.update(LABEL);
            mac.update(bytes);
            mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, agentId));
            return new HelloCredentials(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    void write(ByteBuf out) {
        out.writeShort(bytes.length).writeBytes(bytes);
    }

    /** Takes the same time wherever they differ. */
    @Override
    public boolean equals(Object other) {
        return other instanceof HelloCredentials that && MessageDigest.isEqual(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
