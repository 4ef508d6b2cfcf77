package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;

/** Strings and binary data, which may come in chunks. */
abstract class HessianTextCursor extends HessianCursor {
    HessianTextCursor() {}

    /** Reads a string of any length; where it has more than {@code maxChars} chars, the rest is left out. */
    public final String readString(int maxChars) throws MalformedValueException {
        expect(HessianType.STRING);
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

    /** Whether the chunk of a string or of binary data that comes next is its last one. */
    final boolean isLastChunk() throws MalformedValueException {
        int tag = byteAt(at);
        return tag != 'R' && tag != 'A';
    }

    /** Appends a string to {@code out} as UTF-8; a surrogate without its other half becomes U+FFFD. */
    public final void readString(ByteBuf out) throws MalformedValueException {
        copyString(out, false, Integer.MAX_VALUE);
    }

    /**
     * As {@link #readString(ByteBuf)}.
     *
     * @param json  whether to escape what JSON wants escaped
     * @param limit the highest index that may be written to; checked often, not at every byte
     */
    final void copyString(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        expect(HessianType.STRING);
        if (copyShort(out, limit)) {
            return;
        }
        int high = 0;
        boolean last;
        do {
            last = isLastChunk();
            int chars = readStringHead();
            while (chars > 0) {
                int runEnd = at + Math.min(chars, end - at);
                int run = (json ? JsonText.plainEnd(in, at, runEnd) : Utf8.asciiEnd(in, at, runEnd)) - at;
                if (out.writerIndex() > limit - run) {
                    throw new MalformedValueException("more text than is allowed");
                }
                if (run > 0) {
                    writeLone(out, high);
                    high = 0;
                    out.writeBytes(in, at, run);
                    at += run;
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

    /** Copies a string as most are, of few chars that are the same in whatever it is copied to; leaves any other one. */
    private boolean copyShort(ByteBuf out, int limit) throws MalformedValueException {
        int chars = byteAt(at);
        int begin = at + 1;
        int to = out.writerIndex();
        if (chars > Tag.MAX_SHORT_STRING || chars > end - begin || chars > limit - to) {
            return false;
        }
        out.ensureWritable(chars + Long.BYTES);
        if (!JsonText.copyPlain(out, to, in, begin, begin + chars)) {
            return false;
        }
        out.writerIndex(to + chars);
        at = begin + chars;
        return true;
    }

    private static void writeLone(ByteBuf out, int high) {
        if (high != 0) {
            Utf8.write(out, high);
        }
    }

    /** Where the bytes begin of the string at {@code position}, read or skipped before; -1 if it is long. */
    public final int textAt(int position) {
        return in.getByte(position) <= Tag.MAX_SHORT_STRING ? position + 1 : -1;
    }

    /**
     * Reads the head of a string's chunk, after which its chars follow.
     *
     * @return how many
     */
    private int readStringHead() throws MalformedValueException {
        int tag = byteAt(at);
        if (HessianType.of(tag) != HessianType.STRING) {
            throw malformed("no further chunk of a string");
        }
        int chars;
        if (tag <= Tag.MAX_SHORT_STRING) {
            chars = tag;
            at += 1;
        } else if (tag < Tag.MEDIUM_BINARY) {
            chars = (tag - Tag.MEDIUM_STRING) * 0x100 + byteAt(at + 1);
            at += 2;
        } else {
            chars = in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        }
        checked(at, chars);
        return chars;
    }

    /** Reads one char of one to three bytes; those of four are not Hessian, which has a pair of surrogates instead. */
    private int readChar() throws MalformedValueException {
        int first = byteAt(at);
        if (first < 0x80) {
            at += 1;
            return first;
        }
        if (first < 0xe0) {
            int c = (first & 0x1f) << 6 | continuation(at + 1);
            if (first >= 0xc2) {
                at += 2;
                return c;
            }
        } else if (first < 0xf0) {
            int c = (first & 0xf) << 12 | continuation(at + 1) << 6 | continuation(at + 2);
            if (c >= 0x800) {
                at += 3;
                return c;
            }
        }
        throw malformed("no char begins with byte 0x" + Integer.toHexString(first));
    }

    private int continuation(int index) throws MalformedValueException {
        int value = byteAt(index) ^ 0x80;
        if (value > 0x3f) {
            throw malformed("a char with a byte missing");
        }
        return value;
    }

    final int readByte() throws MalformedValueException {
        return byteAt(at++);
    }

    /** Passes over a string, which must come next, as {@link #peek} has told. */
    public final void skipString() throws MalformedValueException {
        int length = byteAt(at);
        if (length <= Tag.MAX_SHORT_STRING && length < end - at) {
            int textEnd = at + 1 + length;
            if (Utf8.asciiEnd(in, at + 1, textEnd) == textEnd) {
                at = textEnd;
                return;
            }
        }
        boolean last;
        do {
            last = isLastChunk();
            int chars = readStringHead();
            while (chars > 0) {
                int run = Utf8.asciiEnd(in, at, at + Math.min(chars, end - at)) - at;
                at += run;
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
    final int readBinaryHead() throws MalformedValueException {
        int tag = byteAt(at);
        if (HessianType.of(tag) != HessianType.BINARY) {
            throw malformed("no further chunk of binary data");
        }
        int length;
        if (tag <= Tag.SHORT_BINARY + Tag.MAX_SHORT_BINARY) {
            length = tag - Tag.SHORT_BINARY;
            at += 1;
        } else if (tag < 0x38) {
            length = (tag - Tag.MEDIUM_BINARY) * 0x100 + byteAt(at + 1);
            at += 2;
        } else {
            length = in.getUnsignedShort(checked(at + 1, Short.BYTES));
            at += 3;
        }
        checked(at, length);
        return length;
    }

    /** Appends binary data of any length to {@code out}. */
    public final void readBinary(ByteBuf out) throws MalformedValueException {
        expect(HessianType.BINARY);
        boolean last;
        do {
            last = isLastChunk();
            int length = readBinaryHead();
            out.writeBytes(in, at, length);
            at += length;
        } while (!last);
    }

    final void skipBinary() throws MalformedValueException {
        boolean last;
        do {
            last = isLastChunk();
            int length = readBinaryHead();
            at += length;
        } while (!last);
    }
}
