package io.dubbomesh.protocol.dubbo;

import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The attachments that are Dubbo's own: they decide where a call goes, how it is executed or which application calls.
 * Clients can neither set nor get them. {@code dubbo.tag} is missing on purpose: clients may set it.
 */
public final class DubboKeys {
    private static final byte[][] KEYS = ascii(
            "dubbo",
            "path",
            "interface",
            "version",
            "group",
            "token",
            "timeout",
            "_TO",
            "timeout-countdown",
            "enable-timeout-countdown",
            "generic",
            "async",
            "serialization_id",
            "remote.application",
            "callback.service.instid",
            "callback.service.proxy",
            "is_callback_service",
            "channel.callback.invokers.key",
            "_isCallBackServiceInvoke",
            "_isStubServiceInvoke",
            "dubbo.stub.event",
            "dubbo.stub.event.methods");
    /** The sizes of request and answer, which some providers add to their results. */
    private static final byte[][] OF_RESULTS = ascii("input", "output");
    /** Followed by an argument's number, it makes a provider take the argument for a callback to its caller. */
    private static final byte[] CALLBACK_PREFIX = "sys_callback_arg-".getBytes(US_ASCII);

    private static final byte[] BINARY_SUFFIX = "-bin".getBytes(US_ASCII);

    private DubboKeys() {}

    private static byte[][] ascii(String... keys) {
        byte[][] bytes = new byte[keys.length][];
        for (int i = 0; i < keys.length; i++) {
            bytes[i] = keys[i].getBytes(US_ASCII);
        }
        return bytes;
    }

    /**
     * Returns whether the key {@code in[offset, offset + length)} is Dubbo's own in any case, since some versions
     * ignore that, or becomes one by Triple, where the provider takes {@code -bin} from the end of names.
     */
    public static boolean isOwn(ByteBuf in, int offset, int length) {
        int shorter = length - BINARY_SUFFIX.length;
        return length >= CALLBACK_PREFIX.length && matches(in, offset, CALLBACK_PREFIX)
                || isOneOf(KEYS, in, offset, length)
                || shorter > 0 && matches(in, offset + shorter, BINARY_SUFFIX) && isOneOf(KEYS, in, offset, shorter);
    }

    /** Returns {@link #isOwn} for an attachment that came with a result. */
    static boolean isOwnOfResult(ByteBuf in, int offset, int length) {
        return isOwn(in, offset, length) || isOneOf(OF_RESULTS, in, offset, length);
    }

    private static boolean isOneOf(byte[][] keys, ByteBuf in, int offset, int length) {
        for (byte[] key : keys) {
            if (key.length == length && matches(in, offset, key)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(ByteBuf in, int offset, byte[] key) {
        for (int i = 0; i < key.length; i++) {
            if (lowerCase(in.getByte(offset + i)) != lowerCase(key[i])) {
                return false;
            }
        }
        return true;
    }

    private static int lowerCase(byte b) {
        return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
    }
}
