package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The characters of a request's target (RFC 3986, appendix A). An escaped control character and a segment {@code .} or
 * {@code ..}, however it is spelled, are well-formed, but some programs resolve them and some do not: they are refused
 * too.
 */
final class TargetText {
    /** All that may stand in every part of a target, but for the dot. */
    private static final boolean[] PLAIN = new boolean[256];

    static {
        for (byte character : ("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + "-_~!$&'()*+,;=:@/?")
                .getBytes(US_ASCII)) {
            PLAIN[character] = true;
        }
    }

    private int end;
    private boolean unusual;

    /**
     * Reads from {@code start} to the first character that no target has; the CR of the line's end is at
     * {@code lineEnd}.
     */
    void read(ByteBuf in, int start, int lineEnd) throws CallException {
        unusual = false;
        int at = start;
        while (true) {
            byte character = in.getByte(at);
            if (PLAIN[character & 0xff]) {
                at++;
            } else if (character == '.') {
                unusual |= in.getByte(at - 1) == '/';
                at++;
            } else if (character == '%') {
                int escaped = PercentText.escaped(in, at, lineEnd);
                if (escaped < 0) {
                    throw bad("a target with " + PercentText.BROKEN_ESCAPE);
                }
                if (escaped < ' ' || escaped == 0x7f) {
                    throw bad("a target with an escaped control character");
                }
                unusual |= escaped == '.';
                at += 3;
            } else if (character == '[' || character == ']') {
                unusual = true;
                at++;
            } else {
                end = at;
                return;
            }
        }
    }

    /** Returns the index behind the last character of what was read. */
    int end() {
        return end;
    }

    /**
     * @param target what was read, or its path and query
     * @throws CallException if it has what only an authority may have, or a dot segment
     */
    void checkPath(ByteBuf target) throws CallException {
        if (!unusual) {
            return;
        }
        int targetEnd = target.writerIndex();
        if (Words.firstOf(target, 0, targetEnd, '[', ']') < targetEnd) {
            throw bad("a target with a bracket that is not percent-encoded");
        }
        int pathEnd = Words.firstOf(target, 0, targetEnd, '?', '?');
        for (int slash = 0; slash < pathEnd; ) {
            int segmentEnd = Words.firstOf(target, slash + 1, pathEnd, '/', '/');
            if (isDots(target, slash + 1, segmentEnd)) {
                throw bad("a path with a segment . or ..");
            }
            slash = segmentEnd;
        }
    }

    private static boolean isDots(ByteBuf in, int at, int end) {
        int dots = 0;
        while (at < end) {
            if (in.getByte(at) == '.') {
                at++;
            } else if (PercentText.escaped(in, at, end) == '.') {
                at += 3;
            } else {
                return false;
            }
            dots++;
        }
        return dots == 1 || dots == 2;
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
