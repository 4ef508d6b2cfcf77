package io.dubbomesh.consumer.auth;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The owners of tokens, by the SHA-256 of each token: no token is kept, and the time of a look-up tells nothing of one.
 * Immutable.
 */
final class TokenTable {
    static final int MIN_TOKEN = 16;
    static final int MAX_TOKEN = 512;

    private static final String EXPECTED = "(expected: SUBJECT TOKEN, or SUBJECT sha256:HEX)";
    private static final String DIGEST_PREFIX = "sha256:";
    private static final int DIGEST_BYTES = 32;

    private final Map<ByteBuffer, Caller> owners = new HashMap<>();
    private boolean hasPlainTokens;

    /**
     * Reads lines {@code SUBJECT TOKEN}; a subject may have several tokens.
     *
     * @throws IllegalArgumentException with the number of the line, what is wrong and what was expected; never with a
     *     token
     */
    static TokenTable parse(String text) {
        TokenTable table = new TokenTable();
        SettingsLines.forEach(text, words -> {
            if (words.size() != 2) {
                throw new IllegalArgumentException(words.size() + " words " + EXPECTED);
            }
            String subject = words.get(0);
            if (subject.length() > Caller.MAX_SUBJECT) {
                throw new IllegalArgumentException("a subject of more than " + Caller.MAX_SUBJECT + " characters");
            }
            table.hasPlainTokens |= !words.get(1).startsWith(DIGEST_PREFIX);
            Caller caller = new Caller(AuthSettings.Kind.TOKEN, subject, Set.of(), Caller.NEVER, null);
            if (table.owners.putIfAbsent(ByteBuffer.wrap(digestOf(words.get(1))), caller) != null) {
                throw new IllegalArgumentException("a token that an earlier line has (expected: another one)");
            }
        });
        return table;
    }

    private static byte[] digestOf(String token) {
        if (token.startsWith(DIGEST_PREFIX)) {
            try {
                byte[] digest = HexFormat.of().parseHex(token.substring(DIGEST_PREFIX.length()));
                if (digest.length == DIGEST_BYTES) {
                    return digest;
                }
            } catch (IllegalArgumentException e) {
                // The message of the JDK would show it.
            }
            throw new IllegalArgumentException("sha256: and no digest (expected: 64 hexadecimal digits)");
        }
        if (token.length() < MIN_TOKEN || token.length() > MAX_TOKEN || !isPrintable(token)) {
            throw new IllegalArgumentException("a token of " + token.length() + " characters (expected: " + MIN_TOKEN
                    + " to " + MAX_TOKEN + " printable characters of ASCII, or sha256:HEX of them)");
        }
        return sha256(token.getBytes(US_ASCII));
    }

    private static boolean isPrintable(String token) {
        return token.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether the text had a token itself, and not digests alone. */
    boolean hasPlainTokens() {
        return hasPlainTokens;
    }

    /** Returns the owner of the token {@code bytes[0, length)}, or null. */
    Caller find(byte[] bytes, int length) {
        if (length < MIN_TOKEN || length > MAX_TOKEN) {
            return null;
        }
        return owners.get(ByteBuffer.wrap(sha256(Arrays.copyOf(bytes, length))));
    }
}
