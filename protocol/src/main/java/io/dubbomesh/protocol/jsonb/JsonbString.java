package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;

import java.nio.charset.Charset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The string that a {@link JsonbReader} read or skipped last, in one of several encodings; what fastjson2 calls ASCII
 * is ISO 8859-1. A reused view.
 */
final class JsonbString {
    private static final int BYTE_ORDER_MARK = 0xfeff;

    private ByteBuf in;
    private int encoding;
    private int begin;
    private int end;

    /** The string is {@code in[begin, end)} in the encoding of this tag. */
    void locate(ByteBuf in, int encoding, int begin, int end) {
        this.in = in;
        this.encoding = encoding;
        this.begin = begin;
        this.end = end;
    }

    boolean isAscii(String text) {
        if (encoding > JsonbTag.STRING_UTF8 || end - begin != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (in.getByte(begin + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    String decode() {
        Charset charset = switch (encoding) {
            case JsonbTag.STRING_UTF8 -> UTF_8;
            case JsonbTag.STRING_UTF16 -> UTF_16;
            case JsonbTag.STRING_UTF16LE -> UTF_16LE;
            case JsonbTag.STRING_UTF16BE -> UTF_16BE;
            default -> ISO_8859_1;
        };
        return in.toString(begin, end - begin, charset);
    }

    /**
     * Appends the string as UTF-8.
     *
     * @param json  whether to escape what JSON wants escaped
     * @param limit the highest index that may be written to
     */
    void copy(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        switch (encoding) {
            case JsonbTag.STRING_UTF8 -> copyUtf8(out, json, limit);
            case JsonbTag.STRING_UTF16, JsonbTag.STRING_UTF16LE, JsonbTag.STRING_UTF16BE -> copyUtf16(out, json, limit);
            default -> copyLatin1(out, json, limit);
        }
    }

    private void copyLatin1(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        int at = begin;
        while (at < end) {
            int plain = JsonText.plainEnd(in, at, end);
            require(out, plain - at, limit);
            out.writeBytes(in, at, plain - at);
            at = plain;
            if (at < end) {
                writeCharacter(out, in.getUnsignedByte(at++), json, limit);
            }
        }
    }

    private void copyUtf8(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        try {
            Utf8.require(in, begin, end - begin);
        } catch (MalformedValueException e) {
            throw new MalformedValueException("a string that is not UTF-8");
        }
        int at = begin;
        while (at < end) {
            int plain = json ? JsonText.plainEnd(in, at, end) : end;
            while (plain < end && in.getByte(plain) < 0) {
                plain++;
            }
            require(out, plain - at, limit);
            out.writeBytes(in, at, plain - at);
            at = plain;
            if (at < end && in.getByte(at) >= 0) {
                writeCharacter(out, in.getByte(at++), json, limit);
            }
        }
    }

    private void copyUtf16(ByteBuf out, boolean json, int limit) throws MalformedValueException {
        if ((end - begin) % Character.BYTES != 0) {
            throw new MalformedValueException("a string in UTF-16 of " + (end - begin) + " bytes");
        }
        boolean littleEndian = encoding == JsonbTag.STRING_UTF16LE;
        int at = begin;
        if (encoding == JsonbTag.STRING_UTF16 && at < end) {
            littleEndian = in.getUnsignedShortLE(at) == BYTE_ORDER_MARK;
            if (littleEndian || in.getUnsignedShort(at) == BYTE_ORDER_MARK) {
                at += Character.BYTES;
            }
        }
        while (at < end) {
            char c = charAt(at, littleEndian);
            at += Character.BYTES;
            int character = c;
            if (Character.isHighSurrogate(c) && at < end) {
                char low = charAt(at, littleEndian);
                if (Character.isLowSurrogate(low)) {
                    character = Character.toCodePoint(c, low);
                    at += Character.BYTES;
                }
            }
            writeCharacter(out, character, json, limit);
        }
    }

    private char charAt(int at, boolean littleEndian) {
        return (char) (littleEndian ? in.getUnsignedShortLE(at) : in.getUnsignedShort(at));
    }

    private static void writeCharacter(ByteBuf out, int character, boolean json, int limit)
            throws MalformedValueException {
        require(out, 1, limit);
        if (json) {
            JsonText.writeCharacter(out, character);
        } else {
            Utf8.write(out, character);
        }
    }

    private static void require(ByteBuf out, int length, int limit) throws MalformedValueException {
        if (out.writerIndex() > limit - length) {
            throw new MalformedValueException("more text than allowed");
        }
    }
}
