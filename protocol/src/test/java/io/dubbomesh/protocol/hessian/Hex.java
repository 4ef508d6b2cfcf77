package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Bytes in tests: hexadecimal digits, with blanks where one likes and text between single quotes. */
public final class Hex {
    private Hex() {}

    public static ByteBuf bytes(String text) {
        ByteBuf out = Unpooled.buffer();
        String[] parts = text.split("'", -1);
        for (int i = 0; i < parts.length; i++) {
            if (i % 2 == 1) {
                out.writeCharSequence(parts[i], ISO_8859_1);
            } else {
                out.writeBytes(ByteBufUtil.decodeHexDump(parts[i].replace(" ", "")));
            }
        }
        return out;
    }

    public static String of(ByteBuf bytes) {
        return ByteBufUtil.hexDump(bytes);
    }
}
