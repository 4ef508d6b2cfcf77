package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;

/** Writes binary data in Hessian, in chunks if it is long. */
final class HessianBinary {
    private HessianBinary() {}

    static void write(ByteBuf out, byte[] value) {
        int at = 0;
        while (value.length - at > Tag.MAX_CHUNK) {
            out.writeByte('A').writeShort(Tag.MAX_CHUNK).writeBytes(value, at, Tag.MAX_CHUNK);
            at += Tag.MAX_CHUNK;
        }
        writeHead(out, value.length - at);
        out.writeBytes(value, at, value.length - at);
    }

    static void write(ByteBuf out, ByteBuf in, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (end - at > Tag.MAX_CHUNK) {
            out.writeByte('A').writeShort(Tag.MAX_CHUNK).writeBytes(in, at, Tag.MAX_CHUNK);
            at += Tag.MAX_CHUNK;
        }
        writeHead(out, end - at);
        out.writeBytes(in, at, end - at);
    }

    private static void writeHead(ByteBuf out, int length) {
        if (length <= Tag.MAX_SHORT_BINARY) {
            out.writeByte(Tag.SHORT_BINARY + length);
        } else if (length <= Tag.MAX_MEDIUM) {
            out.writeShort((Tag.MEDIUM_BINARY << 8) + length);
        } else {
            out.writeByte('B').writeShort(length);
        }
    }
}
