package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Where the five names of a form stand in its body, as they are spelt there: what a route is found by without decoding them. */
final class FormNames {
    static final int INTERFACE = 0;
    static final int METHOD = 1;
    static final int DESCRIPTOR = 2;
    static final int VERSION = 3;
    static final int GROUP = 4;
    static final int COUNT = 5;

    private static final String[] NAMES = {"interface", "method", "parameterTypesString", "version", "group"};
    /** Names travel with a 16-bit length in mesh frames. */
    private static final int MAX_VALUE = 0xffff;
    /** An odd multiplier with no pattern, for the second key of {@link #hash}. */
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final int[] offsets = new int[COUNT];
    /** -1 for a field that is absent, until {@link #check}. */
    private final int[] lengths = new int[COUNT];

    private ByteBuf in = Unpooled.EMPTY_BUFFER;

    /** None is there yet. */
    void clear(ByteBuf body, int offset) {
        in = body;
        for (int i = 0; i < COUNT; i++) {
            offsets[i] = offset;
            lengths[i] = -1;
        }
    }

    void set(int field, int value, int valueEnd) throws CallException {
        if (lengths[field] >= 0) {
            throw FormRequest.bad(NAMES[field] + " is given twice");
        }
        offsets[field] = value;
        lengths[field] = valueEnd - value;
    }

    /** @throws CallException BAD_REQUEST if one that must be there is not */
    void check() throws CallException {
        for (int i = INTERFACE; i <= DESCRIPTOR; i++) {
            if (lengths[i] < 0) {
                throw FormRequest.bad(NAMES[i] + " is missing");
            }
        }
        for (int i = INTERFACE; i <= METHOD; i++) {
            if (lengths[i] == 0) {
                throw FormRequest.bad(NAMES[i] + " is empty");
            }
        }
        for (int i = VERSION; i <= GROUP; i++) {
            lengths[i] = Math.max(lengths[i], 0);
        }
    }

    /**
     * A hash of the five names as they are spelt. A client that does not know {@code seed} cannot make names collide, since each
     * step multiplies by a secret and folds the 128-bit product.
     */
    long hash(long seed) {
        long key = seed * GOLDEN | 1;
        long hash = seed;
        for (int i = 0; i < COUNT; i++) {
            int at = offsets[i];
            int length = lengths[i];
            int end = at + length;
            hash = fold(hash ^ length, key);
            if (length >= Long.BYTES) {
                for (; end - at > Long.BYTES; at += Long.BYTES) {
                    hash = fold(hash ^ in.getLongLE(at), key);
                }
                hash = fold(hash ^ in.getLongLE(end - Long.BYTES), key);
            } else if (length > 0) {
                long word = 0;
                for (; at < end; at++) {
                    word = word << 8 | in.getUnsignedByte(at);
                }
                hash = fold(hash ^ word, key);
            }
        }
        return hash;
    }

    private static long fold(long value, long key) {
        return value * key ^ Math.multiplyHigh(value, key);
    }

    /** The five names as they are spelt, in one array: each with a 32-bit length in front. */
    byte[] rawKey() {
        int length = 0;
        for (int each : lengths) {
            length += Integer.BYTES + each;
        }
        byte[] key = new byte[length];
        ByteBuffer to = ByteBuffer.wrap(key);
        for (int i = 0; i < COUNT; i++) {
            to.putInt(lengths[i]);
            in.getBytes(offsets[i], key, to.position(), lengths[i]);
            to.position(to.position() + lengths[i]);
        }
        return key;
    }

    /** Whether the names are spelt as those that this {@link #rawKey()} was made of. */
    boolean areEqual(byte[] rawKey) {
        int at = 0;
        for (int i = 0; i < COUNT; i++) {
            int length = lengths[i];
            if (rawKey.length - at < Integer.BYTES + length
                    || (rawKey[at] << 24
                                    | (rawKey[at + 1] & 0xff) << 16
                                    | (rawKey[at + 2] & 0xff) << 8
                                    | rawKey[at + 3] & 0xff)
                            != length
                    || !Words.equal(in, offsets[i], rawKey, at + Integer.BYTES, length)) {
                return false;
            }
            at += Integer.BYTES + length;
        }
        return at == rawKey.length;
    }

    /**
     * The names in plain text; allocates, hence for names not seen before.
     *
     * @throws CallException BAD_REQUEST if one is misspelt, longer than mesh frames allow, or bears a control character
     */
    MethodName decode() throws CallException {
        return new MethodName(name(INTERFACE), name(METHOD), name(DESCRIPTOR), name(VERSION), name(GROUP));
    }

    private String name(int field) throws CallException {
        int offset = offsets[field];
        int length = lengths[field];
        ByteBuf text = Unpooled.buffer(length);
        String fault = PercentText.decode(in, offset, offset + length, text, '+');
        if (fault != PercentText.FINE) {
            throw FormRequest.bad(NAMES[field] + ": " + fault);
        }
        if (text.readableBytes() > MAX_VALUE) {
            throw FormRequest.bad(
                    NAMES[field] + ": " + text.readableBytes() + " bytes (expected: at most " + MAX_VALUE + ")");
        }
        if (Words.firstControl(text, 0, text.writerIndex()) < text.writerIndex()) {
            throw FormRequest.bad(NAMES[field] + ": a control character");
        }
        return text.toString(UTF_8);
    }
}
