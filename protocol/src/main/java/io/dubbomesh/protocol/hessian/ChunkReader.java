package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;

/** Reads strings and binary data, which may come in chunks. */
final class ChunkReader {
    private final HessianCursor cursor;

    ChunkReader(HessianCursor cursor) {
        this.cursor = cursor;
    }

    /** Reads a string of any length; where it has more than {@code maxChars} chars, the rest is left out. */
    String readString(int maxChars) throws MalformedValueException {
        StringBuilder text = new StringBuilder();
        boolean last;
        do {
            last = isLastChunk();
            for (int chars = readStringHead(); chars > 0; chars--) {
                int c = readChar();
                if (text.length() < maxChars) {
                    text.append((char) c);
                }
            }
        } while (!last);
        return text.toString();
    }

    /** Returns whether the chunk of a string or of binary data that comes next is its last one. */
    boolean isLastChunk() throws MalformedValueException {
        int tag = cursor.byteAt(cursor.at);
        return tag != 'R' && tag != 'A';
    }

    /**
     * Appends a string to {@code out} as UTF-8; a surrogate without its other half becomes U+FFFD.
     *
     * @param json  whether to escape what JSON wants escaped
     * @param limit the highest index that may be written to; checked often, not at every byte
     */
    void copyString(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        if (copyShort(out, limit)) {
            return;
        }
        int high = 0;
        boolean last;
        do {
            last = isLastChunk();
            int chars = readStringHead();
            while (chars > 0) {
                int runEnd = cursor.at + Math.min(chars, cursor.end - cursor.at);
                int run = (json
                                ? JsonText.plainEnd(cursor.in, cursor.at, runEnd)
                                : Utf8.asciiEnd(cursor.in, cursor.at, runEnd))
                        - cursor.at;
                if (out.writerIndex() > limit - run) {
                    throw new MalformedValueException("more text than allowed");
                }
                if (run > 0) {
                    writeLone(out, high);
                    high = 0;
                    out.writeBytes(cursor.in, cursor.at, run);
                    cursor.at += run;
                    chars -= run;
                    continue;
                }
                int c = readChar();
                chars--;
                if (high != 0 && Character.isLowSurrogate((char) c)) {
                    Utf8.write(out, Character.toCodePoint((char) high, (char) c));
                    high = 0;
                    continue;
                }
                writeLone(out, high);
                high = 0;
                if (Character.isHighSurrogate((char) c)) {
                    high = c;
                } else if (json) {
                    JsonText.writeCharacter(out, c);
                } else {
                    Utf8.write(out, c);
                }
            }
        } while (!last);
        writeLone(out, high);
    }

    /** Copies a short string whose bytes need no conversion, as most are; leaves any other one. */
    private boolean copyShort(ByteBuf out, int limit) throws MalformedValueException {
        HessianCursor cursor = this.cursor;
        int chars = cursor.byteAt(cursor.at);
        int begin = cursor.at + 1;
        int to = out.writerIndex();
        if (chars > HessianTag.MAX_SHORT_STRING || chars > cursor.end - begin || chars > limit - to) {
            return false;
        }
        out.ensureWritable(chars + Long.BYTES);
        if (!JsonText.copyPlain(out, to, cursor.in, begin, begin + chars)) {
            return false;
        }
        out.writerIndex(to + chars);
        cursor.at = begin + chars;
        return true;
    }

    private static void writeLone(ByteBuf out, int high) {
        if (high != 0) {
            Utf8.write(out, high);
        }
    }

    /**
     * Returns the offset of the bytes of the string at {@code position}, which was read or skipped before; -1 if it is
     * long.
     */
    int textAt(int position) {
        return cursor.in.getByte(position) <= HessianTag.MAX_SHORT_STRING ? position + 1 : -1;
    }

    /**
     * Reads the head of a string's chunk, after which its chars follow.
     *
     * @return how many
     */
    private int readStringHead() throws MalformedValueException {
        int tag = cursor.byteAt(cursor.at);
        if (HessianType.of(tag) != HessianType.STRING) {
            throw cursor.malformed("no further chunk of a string");
        }
        int chars;
        if (tag <= HessianTag.MAX_SHORT_STRING) {
            chars = tag;
            cursor.at += 1;
        } else if (tag < HessianTag.MEDIUM_BINARY) {
            chars = (tag - HessianTag.MEDIUM_STRING) * 0x100 + cursor.byteAt(cursor.at + 1);
            cursor.at += 2;
        } else {
            chars = cursor.in.getUnsignedShort(cursor.checked(cursor.at + 1, Short.BYTES));
            cursor.at += 3;
        }
        cursor.checked(cursor.at, chars);
        return chars;
    }

    /** Reads one char of one to three bytes; Hessian has pairs of surrogates instead of chars of four bytes. */
    private int readChar() throws MalformedValueException {
        int first = cursor.byteAt(cursor.at);
        if (first < 0x80) {
            cursor.at += 1;
            return first;
        }
        if (first < 0xe0) {
            int c = (first & 0x1f) << 6 | continuation(cursor.at + 1);
            if (first >= 0xc2) {
                cursor.at += 2;
                return c;
            }
        } else if (first < 0xf0) {
            int c = (first & 0xf) << 12 | continuation(cursor.at + 1) << 6 | continuation(cursor.at + 2);
            if (c >= 0x800) {
                cursor.at += 3;
                return c;
            }
        }
        throw cursor.malformed("no char begins with byte 0x" + Integer.toHexString(first));
    }

    private int continuation(int index) throws MalformedValueException {
        int value = cursor.byteAt(index) ^ 0x80;
        if (value > 0x3f) {
            throw cursor.malformed("an incomplete char");
        }
        return value;
    }

    /** Skips a string, which must come next. */
    void skipString() throws MalformedValueException {
        HessianCursor cursor = this.cursor;
        int length = cursor.byteAt(cursor.at);
        int text = cursor.at + 1;
        if (length <= HessianTag.MAX_SHORT_STRING && length <= cursor.end - text) {
            int textEnd = text + length;
            if (Utf8.asciiEnd(cursor.in, text, textEnd) == textEnd) {
                cursor.at = textEnd;
                return;
            }
        }
        skipChunks();
    }

    private void skipChunks() throws MalformedValueException {
        boolean last;
        do {
            last = isLastChunk();
            int chars = readStringHead();
            while (chars > 0) {
                int run = Utf8.asciiEnd(cursor.in, cursor.at, cursor.at + Math.min(chars, cursor.end - cursor.at))
                        - cursor.at;
                cursor.at += run;
                chars -= run;
                if (chars > 0) {
                    readChar();
                    chars--;
                }
            }
        } while (!last);
    }

    /**
     * Reads the head of a chunk of binary data, which follows as it is.
     *
     * @return how many bytes
     */
    int readBinaryHead() throws MalformedValueException {
        int tag = cursor.byteAt(cursor.at);
        if (HessianType.of(tag) != HessianType.BINARY) {
            throw cursor.malformed("no further chunk of binary data");
        }
        int length;
        if (tag <= HessianTag.SHORT_BINARY + HessianTag.MAX_SHORT_BINARY) {
            length = tag - HessianTag.SHORT_BINARY;
            cursor.at += 1;
        } else if (tag < 0x38) {
            length = (tag - HessianTag.MEDIUM_BINARY) * 0x100 + cursor.byteAt(cursor.at + 1);
            cursor.at += 2;
        } else {
            length = cursor.in.getUnsignedShort(cursor.checked(cursor.at + 1, Short.BYTES));
            cursor.at += 3;
        }
        cursor.checked(cursor.at, length);
        return length;
    }

    /** Appends binary data of any length to {@code out}. */
    void readBinary(ByteBuf out) throws MalformedValueException {
        boolean last;
        do {
            last = isLastChunk();
            int length = readBinaryHead();
            out.writeBytes(cursor.in, cursor.at, length);
            cursor.at += length;
        } while (!last);
    }

    void skipBinary() throws MalformedValueException {
        boolean last;
        do {
            last = isLastChunk();
            int length = readBinaryHead();
            cursor.at += length;
        } while (!last);
    }
}
