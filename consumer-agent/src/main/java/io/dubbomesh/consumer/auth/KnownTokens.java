package io.dubbomesh.consumer.auth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * The tokens of one event loop that were verified, found by their bytes. Bounded in number and in bytes: a new one
 * takes the place of another. Owned by the loop.
 *
 * <p>It does not tell kinds of credentials apart, since all of them come as bearer tokens: a kind that comes in another
 * header field must be part of the hash and of the comparison.
 */
final class KnownTokens {
    /**
     * The places of a set, in any of which a token may be, so that tokens that come in turn do not replace each other.
     * A power of two, as the next.
     */
    private static final int WAYS = 8;

    private static final int SETS = 512;
    private static final int MAX_KEPT_BYTES = 4 << 20;
    /** The number of characters, at the end of a token where signatures are, that choose its set. */
    private static final int HASHED = 16;

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long seed = ThreadLocalRandom.current().nextLong();
    /** The hash of the token at the same index; those of a set are in one line of a processor's cache. */
    private final long[] hashes = new long[SETS * WAYS];

    private final KnownToken[] tokens = new KnownToken[SETS * WAYS];
    private int keptBytes;
    /** The place of a full set that is taken next. */
    private int nextWay;
    /** The token that makes room next where there are too many bytes. */
    private int nextRemoved;

    /**
     * Returns a hash that a client cannot foresee, of a token's end and its length. Tokens are compared only where it
     * is the same: so how long a comparison takes tells something only to who knows the end already.
     */
    long hash(byte[] token, int length) {
        long hash = seed ^ length;
        long key = seed * GOLDEN | 1;
        if (length >= HASHED) {
            hash = fold(hash ^ (long) LONGS.get(token, length - HASHED), key);
            return fold(hash ^ (long) LONGS.get(token, length - HASHED / 2), key);
        }
        for (int i = 0; i < length; i++) {
            hash = fold(hash ^ token[i], key);
        }
        return hash;
    }

    private static long fold(long value, long key) {
        return value * key ^ Math.multiplyHigh(value, key);
    }

    /** Returns the token {@code token[0, length)}, which may have expired, or null. */
    KnownToken find(long hash, byte[] token, int length) {
        int set = setOf(hash);
        for (int i = set; i < set + WAYS; i++) {
            if (hashes[i] == hash && tokens[i] != null) {
                byte[] known = tokens[i].token;
                if (Arrays.equals(known, 0, known.length, token, 0, length)) {
                    return tokens[i];
                }
            }
        }
        return null;
    }

    private static int setOf(long hash) {
        return ((int) (hash >>> 32) & SETS - 1) * WAYS;
    }

    /** Takes the place of itself, of one that has expired, or of another. */
    void add(long hash, KnownToken verified, long nowMs) {
        while (keptBytes + verified.token.length > MAX_KEPT_BYTES) {
            remove(nextRemoved++ & SETS * WAYS - 1);
        }
        int place = placeFor(hash, verified, nowMs);
        remove(place);
        keptBytes += verified.token.length;
        hashes[place] = hash;
        tokens[place] = verified;
    }

    private int placeFor(long hash, KnownToken verified, long nowMs) {
        int set = setOf(hash);
        int free = -1;
        for (int i = set; i < set + WAYS; i++) {
            if (tokens[i] == null || nowMs >= tokens[i].caller.expiresMs()) {
                free = i;
            }
            if (tokens[i] != null && Arrays.equals(tokens[i].token, verified.token)) {
                return i;
            }
        }
        return free >= 0 ? free : set + (nextWay++ & WAYS - 1);
    }

    void removeIf(Predicate<KnownToken> condition) {
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] != null && condition.test(tokens[i])) {
                remove(i);
            }
        }
    }

    private void remove(int place) {
        if (tokens[place] != null) {
            keptBytes -= tokens[place].token.length;
            tokens[place] = null;
        }
    }
}
