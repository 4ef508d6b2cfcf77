package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The names of the method that a request calls, as they are spelled there, so that a route is found without decoding
 * them. Names from a form and from a target are never equal, since they have different numbers of fields.
 */
public abstract class SpelledNames {
    static final int INTERFACE = 0;
    static final int METHOD = 1;
    static final int DESCRIPTOR = 2;
    static final int VERSION = 3;
    static final int GROUP = 4;

    /** Names travel with a 16-bit length in mesh frames. */
    private static final int MAX_NAME = 0xffff;
    /** An odd multiplier with no pattern, for the second key of {@link #hash}. */
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    /** The offsets of the fields in {@link #in}. */
    final int[] offsets;

    final int[] lengths;
    ByteBuf in = Unpooled.EMPTY_BUFFER;

    SpelledNames(int fields) {
        offsets = new int[fields];
        lengths = new int[fields];
    }

    /**
     * Returns a hash of the names as they are spelled. A client that does not know {@code seed} cannot make names
     * collide, since each step multiplies by a secret and folds the 128-bit product.
     */
    final long hash(long seed) {
        long key = seed * GOLDEN | 1;
        long hash = seed;
        for (int i = 0; i < offsets.length; i++) {
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

    /** Returns the names as they are spelled, in one array: each with a 32-bit length in front. */
    final byte[] rawKey() {
        int length = 0;
        for (int each : lengths) {
            length += Integer.BYTES + each;
        }
        byte[] key = new byte[length];
        ByteBuffer to = ByteBuffer.wrap(key);
        for (int i = 0; i < offsets.length; i++) {
            to.putInt(lengths[i]);
            in.getBytes(offsets[i], key, to.position(), lengths[i]);
            to.position(to.position() + lengths[i]);
        }
        return key;
    }

    /** Returns whether the names are spelled as those that this {@link #rawKey()} was made of. */
    final boolean areEqual(byte[] rawKey) {
        int at = 0;
        for (int i = 0; i < offsets.length; i++) {
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
     * Returns the names in plain text; allocates, hence for spellings not seen before.
     *
     * @throws CallException BAD_REQUEST if one is malformed, longer than mesh frames allow, or has a control character
     */
    abstract MethodName decode() throws CallException;

    /**
     * Returns the text {@code in[offset, offset + length)}, percent-encoded.
     *
     * @param space the character that stands for a space, {@code %} where none does
     * @param what  it is, for a client
     */
    static String decoded(ByteBuf in, int offset, int length, char space, String what) throws CallException {
        ByteBuf text = Unpooled.buffer(length);
        String fault = PercentText.decode(in, offset, offset + length, text, space);
        if (fault != PercentText.FINE) {
            throw bad(what + ": " + fault);
        }
        return checked(text, 0, text.writerIndex(), what);
    }

    /** Returns the text {@code in[offset, offset + length)} as it stands. */
    static String plain(ByteBuf in, int offset, int length, String what) throws CallException {
        if (!ByteBufUtil.isText(in, offset, length, UTF_8)) {
            throw bad(what + ": " + PercentText.NOT_UTF_8);
        }
        return checked(in, offset, length, what);
    }

    private static String checked(ByteBuf in, int offset, int length, String what) throws CallException {
        requireSendable(length, what);
        if (Words.firstControl(in, offset, offset + length) < offset + length) {
            throw bad(what + ": a control character");
        }
        return in.toString(offset, length, UTF_8);
    }

    static void requireSendable(int length, String what) throws CallException {
        if (length > MAX_NAME) {
            throw bad(what + ": " + length + " bytes (expected: at most " + MAX_NAME + ")");
        }
    }

    static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
