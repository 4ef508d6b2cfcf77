package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Strings on their way into Hessian. Its lengths count UTF-16 chars and its bytes are one to three for each char, so that
 * text with only those is copied as it is, while a four-byte character becomes a pair of surrogates of three bytes each. A
 * chunk never ends within such a pair.
 */
final class HessianText {
    private static final long HIGH_BITS = 0x8080808080808080L;

    private HessianText() {}

    static void write(ByteBuf out, CharSequence text) {
        int length = text.length();
        int at = 0;
        while (length - at > Tag.MAX_CHUNK) {
            int end = at + Tag.MAX_CHUNK;
            if (Character.isHighSurrogate(text.charAt(end - 1))) {
                end--;
            }
            out.writeByte('R').writeShort(end - at);
            writeChars(out, text, at, end);
            at = end;
        }
        writeHead(out, length - at);
        writeChars(out, text, at, length);
    }

    private static void writeChars(ByteBuf out, CharSequence text, int begin, int end) {
        int at = begin;
        while (at < end) {
            // Hessian's bytes are those of UTF-8 but for surrogates.
            int run = surrogateAt(text, at, end);
            ByteBufUtil.writeUtf8(out, text, at, run);
            at = run;
            if (at < end) {
                writeChar(out, text.charAt(at++));
            }
        }
    }

    private static int surrogateAt(CharSequence text, int begin, int end) {
        int at = begin;
        while (at < end && !Character.isSurrogate(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static void writeChar(ByteBuf out, int c) {
        if (c < 0x80) {
            out.writeByte(c);
        } else if (c < 0x800) {
            out.writeShort((0xc0 | c >> 6) << 8 | 0x80 | c & 0x3f);
        } else {
            out.writeMedium((0xe0 | c >> 12) << 16 | (0x80 | c >> 6 & 0x3f) << 8 | 0x80 | c & 0x3f);
        }
    }

    private static void writeHead(ByteBuf out, int chars) {
        if (chars <= Tag.MAX_SHORT_STRING) {
            out.writeByte(Tag.SHORT_STRING + chars);
        } else if (chars <= Tag.MAX_MEDIUM) {
            out.writeShort((Tag.MEDIUM_STRING << 8) + chars);
        } else {
            out.writeByte('S').writeShort(chars);
        }
    }

    static void writeUtf8(ByteBuf out, ByteBuf in, int offset, int length) throws HessianException {
        int end = offset + length;
        int ascii = asciiEnd(in, offset, end);
        if (ascii == end && length <= Tag.MAX_CHUNK) {
            writeHead(out, length);
            out.writeBytes(in, offset, length);
            return;
        }
        // Everything is looked at before anything is written.
        int chars = ascii - offset + chars(in, ascii, end);
        int at = offset;
        while (chars > Tag.MAX_CHUNK) {
            int head = out.writerIndex();
            out.writeByte('R').writeShort(0);
            int left = Tag.MAX_CHUNK;
            // The last place of a chunk is for no pair.
            while (left > 1 || left == 1 && size(in.getByte(at)) < 4) {
                int run = asciiEnd(in, at, Math.min(end, at + left)) - at;
                if (run > 0) {
                    out.writeBytes(in, at, run);
                    left -= run;
                    at += run;
                } else {
                    int size = size(in.getByte(at));
                    left -= copy(out, in, at, size);
                    at += size;
                }
            }
            out.setShort(head + 1, Tag.MAX_CHUNK - left);
            chars -= Tag.MAX_CHUNK - left;
        }
        writeHead(out, chars);
        while (at < end) {
            int run = asciiEnd(in, at, end) - at;
            if (run > 0) {
                out.writeBytes(in, at, run);
                at += run;
            } else {
                int size = size(in.getByte(at));
                copy(out, in, at, size);
                at += size;
            }
        }
    }

    /** The index of the first byte of {@code in[at, end)} that is not ASCII, else {@code end}. */
    static int asciiEnd(ByteBuf in, int at, int end) {
        while (end - at >= Long.BYTES) {
            long high = in.getLong(at) & HIGH_BITS;
            if (high != 0) {
                return at + Long.numberOfLeadingZeros(high) / Byte.SIZE;
            }
            at += Long.BYTES;
        }
        if (at < end && in.capacity() - at >= Long.BYTES) {
            // What lies behind the end does not count.
            long high = in.getLong(at) & HIGH_BITS & -1L << (Long.BYTES - (end - at)) * Byte.SIZE;
            return high == 0 ? end : at + Long.numberOfLeadingZeros(high) / Byte.SIZE;
        }
        while (at < end && in.getByte(at) >= 0) {
            at++;
        }
        return at;
    }

    /** How many chars the UTF-8 of {@code in[at, end)} makes. */
    static int chars(ByteBuf in, int at, int end) throws HessianException {
        int chars = 0;
        while (at < end) {
            int ascii = asciiEnd(in, at, end);
            chars += ascii - at;
            at = ascii;
            if (at < end) {
                int size = checkedSize(in, at, end);
                chars += size == 4 ? 2 : 1;
                at += size;
            }
        }
        return chars;
    }

    /** The size of the character at {@code at}, which begins with no ASCII byte. */
    private static int checkedSize(ByteBuf in, int at, int end) throws HessianException {
        int first = in.getUnsignedByte(at);
        int size = size((byte) first);
        if (first < 0xc2 || first > 0xf4 || end - at < size) {
            throw notUtf8();
        }
        for (int i = 1; i < size; i++) {
            if ((in.getByte(at + i) & 0xc0) != 0x80) {
                throw notUtf8();
            }
        }
        int second = in.getUnsignedByte(at + 1);
        boolean overlong = first == 0xe0 && second < 0xa0 || first == 0xf0 && second < 0x90;
        boolean surrogate = first == 0xed && second >= 0xa0;
        if (overlong || surrogate || first == 0xf4 && second >= 0x90) {
            throw notUtf8();
        }
        return size;
    }

    private static HessianException notUtf8() {
        return new HessianException("text that is not UTF-8");
    }

    private static int size(byte first) {
        if (first >= 0) {
            return 1;
        }
        return first < (byte) 0xe0 ? 2 : first < (byte) 0xf0 ? 3 : 4;
    }

    /** Copies a character that has been checked; returns how many chars it makes. */
    private static int copy(ByteBuf out, ByteBuf in, int at, int size) {
        switch (size) {
            case 1 -> out.writeByte(in.getByte(at));
            case 2 -> out.writeShort(in.getShort(at));
            case 3 -> out.writeMedium(in.getMedium(at));
            default -> {
                int point = (in.getByte(at) & 7) << 18
                        | (in.getByte(at + 1) & 0x3f) << 12
                        | (in.getByte(at + 2) & 0x3f) << 6
                        | in.getByte(at + 3) & 0x3f;
                writeChar(out, Character.highSurrogate(point));
                writeChar(out, Character.lowSurrogate(point));
                return 2;
            }
        }
        return 1;
    }
}
