package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.consumer.text.Words;
import io.netty.buffer.ByteBuf;

/** The content type of a request, as far as it matters here. */
public enum ContentType {
    /** The request does not say. */
    NONE(null),
    FORM("application/x-www-form-urlencoded"),
    JSON("application/json"),
    /** The request says it more than once. */
    REPEATED(null),
    /** Anything else, a charset other than UTF-8 and what cannot be understood. */
    OTHER(null);

    private static final byte[] FORM_BYTES = Words.fold(FORM.text);
    private static final byte[] JSON_BYTES = Words.fold(JSON.text);
    private static final byte[] APPLICATION = Words.fold("application/");
    /** The suffix of media types that are JSON (RFC 6839). */
    private static final byte[] JSON_SUFFIX = Words.fold("+json");

    private static final byte[] CHARSET = Words.fold("charset");
    private static final byte[] UTF_8 = Words.fold("utf-8");

    private final String text;

    ContentType(String text) {
        this.text = text;
    }

    /** Returns the media type; null if it is not one certain type. */
    public String text() {
        return text;
    }

    /**
     * Returns the type of the field value {@code in[at, end)}, which has neither blanks around it nor control
     * characters other than tabs.
     */
    static ContentType of(ByteBuf in, int at, int end) {
        int semicolon = Words.firstOf(in, at, end, ';', ';');
        int typeEnd = Tokens.trimBlanks(in, at, semicolon);
        ContentType type = Tokens.is(in, at, typeEnd, FORM_BYTES) ? FORM : isJson(in, at, typeEnd) ? JSON : OTHER;
        return semicolon == end || isUtf8(in, semicolon, end) ? type : OTHER;
    }

    private static boolean isJson(ByteBuf in, int at, int end) {
        if (Tokens.is(in, at, end, JSON_BYTES)) {
            return true;
        }
        int subtype = at + APPLICATION.length;
        int suffix = end - JSON_SUFFIX.length;
        return subtype < suffix
                && Tokens.is(in, at, subtype, APPLICATION)
                && Tokens.is(in, suffix, end, JSON_SUFFIX)
                && tokenEnd(in, subtype, suffix) == suffix;
    }

    /**
     * Returns whether the parameters, of which {@code at} is the first semicolon, are well-formed and leave the charset
     * at UTF-8.
     */
    private static boolean isUtf8(ByteBuf in, int at, int end) {
        while (at < end) {
            if (in.getByte(at) != ';') {
                return false;
            }
            int name = Tokens.skipBlanks(in, at + 1, end);
            at = tokenEnd(in, name, end);
            if (at > name) {
                if (at == end || in.getByte(at) != '=') {
                    return false;
                }
                int value = at + 1;
                boolean quoted = value < end && in.getByte(value) == '"';
                at = quoted ? quotedEnd(in, value, end) : tokenEnd(in, value, end);
                int quote = quoted ? 1 : 0;
                if (at < value + 1
                        || Tokens.is(in, name, value - 1, CHARSET)
                                && !Tokens.is(in, value + quote, at - quote, UTF_8)) {
                    return false;
                }
            }
            at = Tokens.skipBlanks(in, at, end);
        }
        return true;
    }

    private static int tokenEnd(ByteBuf in, int at, int end) {
        while (at < end && Tokens.isToken(in.getByte(at))) {
            at++;
        }
        return at;
    }

    /**
     * Returns the index behind the closing quotation mark of the string that starts at {@code at}; -1 if it has none.
     */
    private static int quotedEnd(ByteBuf in, int at, int end) {
        while (++at < end) {
            byte character = in.getByte(at);
            if (character == '"') {
                return at + 1;
            }
            if (character == '\\') {
                at++;
            }
        }
        return -1;
    }
}
