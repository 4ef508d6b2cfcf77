package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;

/** Writes binary data in Hessian, in chunks if it is long. */
final class HessianBinary {
    private HessianBinary() {}

    static void write(ByteBuf out, byte[] value) {
        int at = 0;
        while (value.length - at > HessianTag.MAX_CHUNK) {
            out.writeByte('A').writeShort(HessianTag.MAX_CHUNK).writeBytes(value, at, HessianTag.MAX_CHUNK);
            at += HessianTag.MAX_CHUNK;
        }
        writeHead(out, value.length - at);
        out.writeBytes(value, at, value.length - at);
    }

    static void write(ByteBuf out, ByteBuf in, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (end - at > HessianTag.MAX_CHUNK) {
            out.writeByte('A').writeShort(HessianTag.MAX_CHUNK).writeBytes(in, at, HessianTag.MAX_CHUNK);
            at += HessianTag.MAX_CHUNK;
        }
        writeHead(out, end - at);
        out.writeBytes(in, at, end - at);
    }

    private static void writeHead(ByteBuf out, int length) {
        if (length <= HessianTag.MAX_SHORT_BINARY) {
            out.writeByte(HessianTag.SHORT_BINARY + length);
        } else if (length <= HessianTag.MAX_MEDIUM) {
            out.writeShort((HessianTag.MEDIUM_BINARY << 8) + length);
        } else {
            out.writeByte('B').writeShort(length);
        }
    }
}
