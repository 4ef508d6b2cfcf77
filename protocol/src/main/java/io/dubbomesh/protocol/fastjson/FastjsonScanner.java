package io.dubbomesh.protocol.fastjson;

import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A position in JSON as fastjson writes it, where keys of maps may be values of any type. The bytes are only read.
 * Reused; owned by one event loop.
 */
final class FastjsonScanner {
    /** The beginning of a reference. */
    static final String REFERENCE = "{\"$ref\":";

    private static final String ESCAPES = "\"\\/bfnrt";
    private static final int UNICODE_DIGITS = 4;

    private ByteBuf in;
    private int at;
    private int end;
    private boolean skippedSurrogate;

    /** @throws MalformedValueException if it is not UTF-8 */
    void begin(ByteBuf in, int offset, int length) throws MalformedValueException {
        this.in = in;
        at = offset;
        end = offset + length;
        try {
            Utf8.require(in, offset, length);
        } catch (MalformedValueException e) {
            throw malformed("text that is not UTF-8");
        }
    }

    int position() {
        return at;
    }

    /** Goes to the beginning of a value. */
    void seek(int position) {
        at = position;
    }

    boolean isAtEnd() {
        return at == end;
    }

    /** Returns the next byte, or 0 at the end. */
    char peek() {
        return at < end ? (char) in.getUnsignedByte(at) : 0;
    }

    /** Skips this byte if it comes next. */
    boolean skip(char expected) {
        if (peek() != expected) {
            return false;
        }
        at++;
        return true;
    }

    void expect(char expected) throws MalformedValueException {
        if (!skip(expected)) {
            throw malformed(isAtEnd() ? "ends within a value" : "no '" + expected + "' where one is expected");
        }
    }

    /** Skips these bytes if they come next. */
    boolean skip(String ascii) {
        if (ascii.length() > end - at) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (in.getByte(at + i) != ascii.charAt(i)) {
                return false;
            }
        }
        at += ascii.length();
        return true;
    }

    /** Skips a string. */
    void skipString() throws MalformedValueException {
        skippedSurrogate = false;
        expect('"');
        while (true) {
            at = JsonText.plainEnd(in, at, end);
            char c = peek();
            if (c >= 0x80) {
                at++;
            } else if (c == '\\') {
                skipEscape();
            } else {
                expect('"');
                return;
            }
        }
    }

    private void skipEscape() throws MalformedValueException {
        at++;
        char c = peek();
        if (c != 0 && ESCAPES.indexOf(c) >= 0) {
            at++;
            return;
        }
        expect('u');
        int unit = 0;
        for (int i = 0; i < UNICODE_DIGITS; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0) {
                throw malformed("no digit in an escape");
            }
            unit = unit << 4 | digit;
            at++;
        }
        skippedSurrogate |= Character.isSurrogate((char) unit);
    }

    /**
     * Returns whether the string that was skipped last has a surrogate, in a pair or alone: only escapes can have one.
     */
    boolean skippedSurrogate() {
        return skippedSurrogate;
    }

    /** Reads a string. */
    String readString() throws MalformedValueException {
        int begin = at + 1;
        skipString();
        String text = in.toString(begin, at - 1 - begin, UTF_8);
        return text.indexOf('\\') < 0 ? text : unescaped(text);
    }

    private static String unescaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = text.charAt(++i);
            if (c == 'u') {
                out.append((char) Integer.parseInt(text, i + 1, i + 1 + UNICODE_DIGITS, 16));
                i += UNICODE_DIGITS;
            } else {
                int control = "bfnrt".indexOf(c);
                out.append(control < 0 ? c : "\b\f\n\r\t".charAt(control));
            }
        }
        return out.toString();
    }

    /** Skips null, a boolean, a number or a string. */
    void skipScalar() throws MalformedValueException {
        if (peek() == '"') {
            skipString();
            return;
        }
        skippedSurrogate = false;
        int begin = at;
        if (skip("null") || skip("true") || skip("false")) {
            return;
        }
        while (at < end && ",:]}".indexOf(peek()) < 0) {
            at++;
        }
        if (!JsonText.isNumber(in, begin, at)) {
            at = begin;
            throw malformed(isAtEnd() ? "ends within a value" : "no value where one is expected");
        }
    }

    /** Returns whether a number of at most so many digits comes next, without fraction and exponent. */
    boolean isWhole(int maxDigits) {
        int i = at < end && in.getByte(at) == '-' ? at + 1 : at;
        int digits = i;
        while (i < end && i - digits <= maxDigits && in.getByte(i) >= '0' && in.getByte(i) <= '9') {
            i++;
        }
        return i > digits && i - digits <= maxDigits && (i == end || ",:]}".indexOf(in.getByte(i)) >= 0);
    }

    /** Skips a value. */
    void skipValue() throws MalformedValueException {
        skipValue(0);
    }

    private void skipValue(int depth) throws MalformedValueException {
        char first = peek();
        if (first != '{' && first != '[') {
            skipScalar();
            return;
        }
        requireDepth(depth);
        at++;
        char last = first == '{' ? '}' : ']';
        for (boolean more = false; !skip(last); more = true) {
            if (more) {
                expect(',');
            }
            skipValue(depth + 1);
            if (first == '{') {
                expect(':');
                skipValue(depth + 1);
            }
        }
    }

    static void requireDepth(int depth) throws MalformedValueException {
        if (depth >= JsonWriter.MAX_DEPTH) {
            throw JsonWriter.tooDeep();
        }
    }

    MalformedValueException malformed(String detail) {
        return new MalformedValueException("malformed JSON: " + detail);
    }
}
