package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Writes strings in Hessian. Lengths count UTF-16 chars, and a char has one to three bytes, so that text of such
 * characters is copied as it is, while a four-byte character becomes a pair of surrogates of three bytes each. A chunk
 * never ends within such a pair.
 */
final class HessianText {
    private HessianText() {}

    static void write(ByteBuf out, CharSequence text) {
        int length = text.length();
        int at = 0;
        while (length - at > HessianTag.MAX_CHUNK) {
            int end = at + HessianTag.MAX_CHUNK;
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
        if (chars <= HessianTag.MAX_SHORT_STRING) {
            out.writeByte(HessianTag.SHORT_STRING + chars);
        } else if (chars <= HessianTag.MAX_MEDIUM) {
            out.writeShort((HessianTag.MEDIUM_STRING << 8) + chars);
        } else {
            out.writeByte('S').writeShort(chars);
        }
    }

    static void writeUtf8(ByteBuf out, ByteBuf in, int offset, int length) throws MalformedValueException {
        int end = offset + length;
        int ascii = Utf8.asciiEnd(in, offset, end);
        if (ascii == end && length <= HessianTag.MAX_CHUNK) {
            writeHead(out, length);
            out.writeBytes(in, offset, length);
            return;
        }
        // Everything is checked before anything is written.
        int chars = ascii - offset + Utf8.chars(in, ascii, end);
        int at = offset;
        while (chars > HessianTag.MAX_CHUNK) {
            int head = out.writerIndex();
            out.writeByte('R').writeShort(0);
            int left = HessianTag.MAX_CHUNK;
            // The last char of a chunk is never half of a pair.
            while (left > 1 || left == 1 && Utf8.size(in.getByte(at)) < 4) {
                int run = Utf8.asciiEnd(in, at, Math.min(end, at + left)) - at;
                if (run > 0) {
                    out.writeBytes(in, at, run);
                    left -= run;
                    at += run;
                } else {
                    int size = Utf8.size(in.getByte(at));
                    left -= copy(out, in, at, size);
                    at += size;
                }
            }
            out.setShort(head + 1, HessianTag.MAX_CHUNK - left);
            chars -= HessianTag.MAX_CHUNK - left;
        }
        writeHead(out, chars);
        while (at < end) {
            int run = Utf8.asciiEnd(in, at, end) - at;
            if (run > 0) {
                out.writeBytes(in, at, run);
                at += run;
            } else {
                int size = Utf8.size(in.getByte(at));
                copy(out, in, at, size);
                at += size;
            }
        }
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
