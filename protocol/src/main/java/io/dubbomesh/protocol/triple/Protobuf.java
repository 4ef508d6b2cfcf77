package io.dubbomesh.protocol.triple;

import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes the few forms of Protocol Buffers that the messages of Triple have. */
final class Protobuf {
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7f;
    private static final int MORE = 0x80;

    private Protobuf() {}

    static void writeText(ByteBuf out, int tag, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeByte(tag);
        writeVarint(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static void writeVarint(ByteBuf out, int value) {
        int rest = value;
        while (rest > GROUP) {
            out.writeByte(rest & GROUP | MORE);
            rest >>>= GROUP_BITS;
        }
        out.writeByte(rest);
    }

    /**
     * Sets the length in front of what was written from {@code begin} on. One byte stands there for it; if it needs
     * more, what follows moves.
     */
    static void setLength(ByteBuf out, int begin) {
        int end = out.writerIndex();
        int length = end - begin;
        if (length > GROUP) {
            int more = more(length);
            out.writeZero(more);
            out.setBytes(begin + more, out, begin, length);
        }
        out.writerIndex(begin - 1);
        writeVarint(out, length);
        out.writerIndex(out.writerIndex() + length);
    }

    /** Returns the bytes of a varint behind its first. */
    private static int more(int value) {
        int more = 0;
        for (int rest = value >>> GROUP_BITS; rest > 0; rest >>>= GROUP_BITS) {
            more++;
        }
        return more;
    }
}
