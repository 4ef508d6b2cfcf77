package io.dubbomesh.protocol.dubbo;

import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The attachments that are Dubbo's own: no caller sets them, and none is told to a caller. */
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
            "generic",
            "async",
            "return",
            "id",
            "input",
            "output",
            "codec",
            "serialization",
            "serialization_id",
            "remote.application",
            "callback.service.instid",
            "_isCallBackServiceInvoke");
    private static final byte[][] PREFIXES = ascii("dubbo.", "sys_callback_arg");

    private DubboKeys() {}

    private static byte[][] ascii(String... keys) {
        byte[][] bytes = new byte[keys.length][];
        for (int i = 0; i < keys.length; i++) {
            bytes[i] = keys[i].getBytes(US_ASCII);
        }
        return bytes;
    }

    /** Whether the key {@code in[offset, offset + length)} is Dubbo's own, whatever its case, since some versions ignore that. */
    public static boolean isOwn(ByteBuf in, int offset, int length) {
        for (byte[] key : KEYS) {
            if (key.length == length && matches(in, offset, key)) {
                return true;
            }
        }
        for (byte[] prefix : PREFIXES) {
            if (prefix.length <= length && matches(in, offset, prefix)) {
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
