package io.dubbomesh.idl;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.io.IOException;

/**
 * Writes JSON as UTF-8 to a buffer, up to a bound. The library escapes some characters for HTML, which are written as
 * they are.
 */
final class JsonOutput implements Appendable {
    private static final String UNICODE = "\\u00";
    /** The characters that need no escape in JSON: less than, greater than, ampersand, equals, apostrophe. */
    private static final String PLAIN = "<>&='";

    private static final int ESCAPE_LENGTH = 6;

    private final ByteBuf out;
    private final int end;

    /** The text is longer than its bound. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLongException() {
            super("too long");
        }
    }

    JsonOutput(ByteBuf out, int maxLength) {
        this.out = out;
        end = (int) Math.min(Integer.MAX_VALUE, (long) out.writerIndex() + maxLength);
    }

    @Override
    public JsonOutput append(CharSequence text) throws IOException {
        String json = text.toString();
        int from = 0;
        int escape = json.indexOf('\\');
        while (escape >= 0 && escape + 1 < json.length()) {
            int next = escape + 2;
            char plain = plain(json, escape);
            if (plain != 0) {
                write(json, from, escape);
                write(String.valueOf(plain), 0, 1);
                next = escape + ESCAPE_LENGTH;
                from = next;
            }
            escape = json.indexOf('\\', next);
        }
        write(json, from, json.length());
        return this;
    }

    /** Appends text that has no escapes. */
    void append(String text, int from) throws IOException {
        write(text, from, text.length());
    }

    @Override
    public JsonOutput append(CharSequence text, int from, int to) throws IOException {
        return append(text.subSequence(from, to));
    }

    @Override
    public JsonOutput append(char c) throws IOException {
        write(String.valueOf(c), 0, 1);
        return this;
    }

    /** Returns the character that is escaped for HTML alone; 0 if it must be escaped. */
    private static char plain(String json, int escape) {
        if (!json.startsWith(UNICODE, escape) || json.length() < escape + ESCAPE_LENGTH) {
            return 0;
        }
        char c = (char)
                (Character.digit(json.charAt(escape + 4), 16) << 4 | Character.digit(json.charAt(escape + 5), 16));
        return PLAIN.indexOf(c) >= 0 ? c : 0;
    }

    private void write(String text, int from, int to) throws TooLongException {
        if (to - from > end - out.writerIndex()) {
            throw new TooLongException();
        }
        ByteBufUtil.writeUtf8(out, text, from, to);
        if (out.writerIndex() > end) {
            throw new TooLongException();
        }
    }
}
