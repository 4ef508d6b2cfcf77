package io.dubbomesh.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A block of attachments, the form that they have in mesh frames: for each entry a 16-bit length and the key, a 16-bit
 * length and the value, both UTF-8. The block's own length is in front of it in the frame.
 */
public final class Attachments {
    /** The longest block that its 16-bit length can describe. */
    public static final int MAX_LENGTH = 0xffff;

    /** The key under which a SERVICE_EXCEPTION response names the exception's class; no header can make such a key. */
    public static final String EXCEPTION = ":exception";

    /**
     * The key under which a NOT_EXECUTED response says why the provider takes no calls; without it the provider has too
     * many.
     */
    public static final String UNAVAILABLE = ":unavailable";

    /**
     * The key under which a NOT_EXECUTED response says that the sender does not serve the service: what a client is
     * told if no other endpoint does.
     */
    public static final String UNSERVED = ":unserved";

    /** The key under which the RESPONSE to a TIMED request says how long the call was where. */
    public static final String TIMING = ":timing";

    private Attachments() {}

    /** Takes one entry; the bytes are those of {@code block} and are valid during the call only. */
    @FunctionalInterface
    public interface Visitor {
        void entry(ByteBuf block, int keyOffset, int keyLength, int valueOffset, int valueLength);
    }

    /** Appends one entry. */
    public static void write(ByteBuf out, CharSequence key, CharSequence value) {
        writeText(out, key);
        writeText(out, value);
    }

    private static void writeText(ByteBuf out, CharSequence text) {
        int length = ByteBufUtil.utf8Bytes(text);
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException("attachment of " + length + " bytes (expected: at most 65535)");
        }
        out.writeShort(length);
        ByteBufUtil.writeUtf8(out, text);
    }

    /**
     * Passes every entry of the block {@code in[offset, offset + length)}.
     *
     * @throws CallException BAD_REQUEST if a length in the block reaches beyond it
     */
    public static void forEach(ByteBuf in, int offset, int length, Visitor visitor) throws CallException {
        int end = offset + length;
        int at = offset;
        while (at < end) {
            int keyEnd = textEnd(in, at, end);
            int valueEnd = textEnd(in, keyEnd, end);
            int key = at + Short.BYTES;
            int value = keyEnd + Short.BYTES;
            visitor.entry(in, key, keyEnd - key, value, valueEnd - value);
            at = valueEnd;
        }
    }

    /**
     * Returns the value of a key in the block {@code in[offset, offset + length)}; null if there is none, or the block
     * is malformed.
     */
    public static String value(ByteBuf in, int offset, int length, String key) {
        String[] found = new String[1];
        try {
            forEach(in, offset, length, (block, keyOffset, keyLength, valueOffset, valueLength) -> {
                if (block.toString(keyOffset, keyLength, UTF_8).equals(key)) {
                    found[0] = block.toString(valueOffset, valueLength, UTF_8);
                }
            });
        } catch (CallException e) {
            return null;
        }
        return found[0];
    }

    /**
     * Returns the offset of a key's value in the block {@code in[offset, offset + length)}, behind its 16-bit length;
     * -1 if there is none, or the block is malformed in front of it.
     */
    public static int find(ByteBuf in, int offset, int length, byte[] key) {
        int end = offset + length;
        int at = offset;
        while (at + Short.BYTES <= end) {
            int keyLength = in.getUnsignedShort(at);
            int value = at + Short.BYTES + keyLength + Short.BYTES;
            if (value > end || value + in.getUnsignedShort(value - Short.BYTES) > end) {
                return -1;
            }
            if (keyLength == key.length && equal(in, at + Short.BYTES, key)) {
                return value;
            }
            at = value + in.getUnsignedShort(value - Short.BYTES);
        }
        return -1;
    }

    private static boolean equal(ByteBuf in, int at, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (in.getByte(at + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    private static int textEnd(ByteBuf in, int at, int end) throws CallException {
        int textEnd = end - at < Short.BYTES ? Integer.MAX_VALUE : at + Short.BYTES + in.getUnsignedShort(at);
        if (textEnd > end) {
            throw new CallException(Outcome.BAD_REQUEST, "attachments: an entry reaches beyond the block");
        }
        return textEnd;
    }
}
