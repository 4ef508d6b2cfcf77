package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Ascii;
import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The first line of a request (RFC 9112, section 3), read in place and as far as it has come. Reused from request to
 * request by one connection.
 */
final class RequestLine {
    private static final String POST = "POST";
    private static final String CONNECT = "CONNECT";
    private static final int FIRST_CAPACITY = 64;
    private static final int MAX_METHOD = 32;
    private static final int VERSION_LENGTH = "HTTP/1.1".length();

    private static final byte[] USUAL_REQUEST_LINE = Ascii.bytes("POST / HTTP/1.1\r\n");
    private static final byte[] SLASH = Ascii.bytes("/");
    private static final byte[] POST_BYTES = Ascii.bytes(POST);
    private static final byte[] OPTIONS_BYTES = Ascii.bytes("OPTIONS");
    private static final byte[] CONNECT_BYTES = Ascii.bytes(CONNECT);
    private static final byte[] HTTP = Ascii.bytes("HTTP/");
    /** Begins what a client sends that speaks HTTP/2 without asking (RFC 9113, section 3.4). */
    private static final byte[] HTTP2_PREFACE = Ascii.bytes("PRI * HTTP/2.0");

    private static final String NO_HTTP2 =
            "HTTP/2 with prior knowledge (expected: HTTP/1.1, as of curl --http1.1; HTTP/2 is not spoken at this port)";

    private static final byte[] HTTP_SCHEME = Words.fold("http://");
    private static final byte[] HTTPS_SCHEME = Words.fold("https://");

    private enum Version {
        HTTP_1_0,
        HTTP_1_1,
        HTTP_2
    }

    private final int maxLength;
    private final Lines lines;
    private final TargetText text = new TargetText();
    private ByteBuf target = Unpooled.buffer(FIRST_CAPACITY);
    private boolean emptyLineSkipped;
    /** Bytes of the method that have arrived and were checked. */
    private int methodLength;

    private String method;
    private Version version;

    /** @param maxLength without the CRLF */
    RequestLine(int maxLength, Lines lines) {
        this.maxLength = maxLength;
        this.lines = lines;
        reset();
    }

    void reset() {
        emptyLineSkipped = false;
        methodLength = 0;
        method = POST;
        version = Version.HTTP_1_1;
        target = target.capacity() > HttpLimits.MAX_KEPT_CAPACITY ? Unpooled.buffer(FIRST_CAPACITY) : target.clear();
    }

    /** Returns whether all of the line is there; it is consumed then. */
    boolean parse(ByteBuf in) throws CallException {
        int usual = USUAL_REQUEST_LINE.length;
        if (in.readableBytes() >= usual && Words.equal(in, in.readerIndex(), USUAL_REQUEST_LINE, 0, usual)) {
            lines.reset();
            in.skipBytes(usual);
            target.writeByte('/');
            return true;
        }
        if (in.isReadable() && in.getByte(in.readerIndex()) == '\r') {
            if (emptyLineSkipped) {
                throw bad("more than one empty line in front of a request");
            }
            if (lines.end(in, 0) == Lines.INCOMPLETE) {
                return false;
            }
            in.skipBytes(2);
            emptyLineSkipped = true;
            return parse(in);
        }
        // Not left to the whole line, so that what is no HTTP at all is found out by its first byte.
        if (!method(in)) {
            return false;
        }
        int start = in.readerIndex();
        int end = lines.end(in, maxLength);
        if (end == Lines.INCOMPLETE) {
            return false;
        }
        // First, as a refusal of HEAD has no content either.
        if (!equal(in, start, start + methodLength, POST_BYTES)) {
            method = in.toString(start, methodLength, US_ASCII);
        }
        if (end == Lines.TOO_LONG) {
            throw new CallException(Outcome.TARGET_TOO_LONG, "a request line of more than " + maxLength + " bytes");
        }
        version = equal(in, start, end, HTTP2_PREFACE) ? Version.HTTP_2 : Version.HTTP_1_1;
        int targetOffset = start + methodLength + 1;
        int targetEnd = targetEnd(in, targetOffset, end);
        readVersion(in, targetEnd + 1, end);
        target(in, start, targetOffset, targetEnd);
        in.readerIndex(end + 2);
        return true;
    }

    /** Returns whether the method and the space behind it are there. */
    private boolean method(ByteBuf in) throws CallException {
        int start = in.readerIndex();
        int at = start + methodLength;
        for (; at < in.writerIndex(); at++) {
            byte character = in.getByte(at);
            if (character == ' ' && at > start) {
                methodLength = at - start;
                return true;
            }
            if (!Tokens.isToken(character) || character >= 'a' && character <= 'z') {
                throw bad("a request line that does not begin with a method and a space");
            }
            if (at - start == MAX_METHOD) {
                throw new CallException(Outcome.NOT_IMPLEMENTED, "a method of more than " + MAX_METHOD + " letters");
            }
        }
        methodLength = at - start;
        return false;
    }

    /** Returns the index of the space behind the target. */
    private int targetEnd(ByteBuf in, int start, int lineEnd) throws CallException {
        text.read(in, start, lineEnd);
        int end = text.end();
        if (end == start || in.getByte(end) != ' ') {
            throw bad(
                    end == lineEnd || in.getByte(end) == ' '
                            ? "a request line that is not a method, a target and a version with single spaces between"
                            : "a target with a character that must be percent-encoded");
        }
        return end;
    }

    private void readVersion(ByteBuf in, int at, int end) throws CallException {
        if (end - at != VERSION_LENGTH || !Words.equal(in, at, HTTP, 0, HTTP.length)) {
            throw bad("a request line that does not end with the HTTP version");
        }
        byte major = in.getByte(at + HTTP.length);
        byte minor = in.getByte(end - 1);
        if (!Tokens.isDigit(major) || in.getByte(end - 2) != '.' || !Tokens.isDigit(minor)) {
            throw bad("a request line that does not end with the HTTP version");
        }
        if (version == Version.HTTP_2) {
            throw new CallException(Outcome.VERSION_NOT_SUPPORTED, NO_HTTP2);
        }
        if (major != '1') {
            throw new CallException(
                    Outcome.VERSION_NOT_SUPPORTED,
                    "HTTP/" + (char) major + '.' + (char) minor + " (expected: HTTP/1.1)");
        }
        version = minor == '0' ? Version.HTTP_1_0 : Version.HTTP_1_1;
    }

    private void target(ByteBuf in, int methodOffset, int at, int end) throws CallException {
        int methodEnd = methodOffset + methodLength;
        if (equal(in, methodOffset, methodEnd, CONNECT_BYTES)) {
            if (!Authority.isWithPort(in, at, end)) {
                throw bad("a target of CONNECT that is not a host and a port");
            }
            target.writeBytes(in, at, end - at);
            return;
        }
        if (in.getByte(at) != '/') {
            boolean asterisk = end - at == 1 && in.getByte(at) == '*';
            if (!asterisk || !equal(in, methodOffset, methodEnd, OPTIONS_BYTES)) {
                at = pathOfAbsolute(in, at, end);
                if (at == end || in.getByte(at) == '?') {
                    target.writeBytes(SLASH);
                }
            }
        }
        target.writeBytes(in, at, end - at);
        text.checkPath(target);
    }

    private static int pathOfAbsolute(ByteBuf in, int at, int end) throws CallException {
        int authority = startsWith(in, at, end, HTTP_SCHEME)
                ? at + HTTP_SCHEME.length
                : startsWith(in, at, end, HTTPS_SCHEME) ? at + HTTPS_SCHEME.length : end;
        int path = Words.firstOf(in, authority, end, '/', '?');
        if (!Authority.is(in, authority, path)) {
            throw bad("a target that is neither a path nor an http address");
        }
        return path;
    }

    /** Returns whether the line is the first one of HTTP/2. */
    boolean isHttp2() {
        return version == Version.HTTP_2;
    }

    /** Returns whether the empty line that may be in front of the line has been skipped. */
    boolean isAfterEmptyLine() {
        return emptyLineSkipped;
    }

    void startAfterEmptyLine() {
        emptyLineSkipped = true;
    }

    boolean isPost() {
        return method.equals(POST);
    }

    String method() {
        return method;
    }

    ByteBuf target() {
        return target;
    }

    boolean isConnect() {
        return method.equals(CONNECT);
    }

    boolean isHttp10() {
        return version == Version.HTTP_1_0;
    }

    private static boolean equal(ByteBuf in, int at, int end, byte[] bytes) {
        return end - at == bytes.length && Words.equal(in, at, bytes, 0, bytes.length);
    }

    private static boolean startsWith(ByteBuf in, int at, int end, byte[] folded) {
        return end - at >= folded.length && Words.equalInAnyCase(in, at, folded);
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
