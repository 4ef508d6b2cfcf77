package io.dubbomesh.consumer.key;

import io.netty.buffer.ByteBuf;

/**
 * The xxHash64 of bytes, with the seed 0 (Y. Collet, "XXH64 algorithm", in doc/xxhash_spec.md of Cyan4973/xxHash): a
 * number that is the same in every process and on every machine. Envoy hashes keys with it, too. It is not made to
 * withstand who looks for bytes of the same number.
 */
final class XxHash64 {
    private static final long PRIME_1 = 0x9e3779b185ebca87L;
    private static final long PRIME_2 = 0xc2b2ae3d27d4eb4fL;
    private static final long PRIME_3 = 0x165667b19e3779f9L;
    private static final long PRIME_4 = 0x85ebca77c2b2ae63L;
    private static final long PRIME_5 = 0x27d4eb2f165667c5L;

    private static final int STRIPE = 4 * Long.BYTES;

    private XxHash64() {}

    /** Returns the hash of {@code in[at, end)}. */
    static long of(ByteBuf in, int at, int end) {
        int length = end - at;
        long hash = length >= STRIPE ? stripes(in, at, end) : PRIME_5;
        at += length - length % STRIPE;
        hash += length;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            hash = Long.rotateLeft(hash ^ round(0, in.getLongLE(at)), 27) * PRIME_1 + PRIME_4;
        }
        if (end - at >= Integer.BYTES) {
            hash = Long.rotateLeft(hash ^ in.getUnsignedIntLE(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
            at += Integer.BYTES;
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft(hash ^ in.getUnsignedByte(at) * PRIME_5, 11) * PRIME_1;
        }
        hash = (hash ^ hash >>> 33) * PRIME_2;
        hash = (hash ^ hash >>> 29) * PRIME_3;
        return hash ^ hash >>> 32;
    }

    private static long stripes(ByteBuf in, int at, int end) {
        long first = PRIME_1 + PRIME_2;
        long second = PRIME_2;
        long third = 0;
        long fourth = -PRIME_1;
        for (; end - at >= STRIPE; at += STRIPE) {
            first = round(first, in.getLongLE(at));
            second = round(second, in.getLongLE(at + Long.BYTES));
            third = round(third, in.getLongLE(at + 2 * Long.BYTES));
            fourth = round(fourth, in.getLongLE(at + 3 * Long.BYTES));
        }
        long hash = Long.rotateLeft(first, 1)
                + Long.rotateLeft(second, 7)
                + Long.rotateLeft(third, 12)
                + Long.rotateLeft(fourth, 18);
        return merge(merge(merge(merge(hash, first), second), third), fourth);
    }

    private static long round(long lane, long word) {
        return Long.rotateLeft(lane + word * PRIME_2, 31) * PRIME_1;
    }

    /** Returns a hash of two hashes, in which their order counts. */
    static long merge(long hash, long next) {
        return (hash ^ round(0, next)) * PRIME_1 + PRIME_4;
    }
}
