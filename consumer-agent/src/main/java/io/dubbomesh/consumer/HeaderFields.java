package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/**
 * The header fields of a request, read in place line by line; of each only what matters here is kept. Reused from request to request.
 */
final class HeaderFields {
    private static final byte[] HOST = Words.fold("host");
    private static final byte[] EXPECT = Words.fold("expect");
    private static final byte[] CONNECTION = Words.fold("connection");
    private static final byte[] CONTENT_TYPE = Words.fold("content-type");
    private static final byte[] CONTENT_LENGTH = Words.fold("content-length");
    private static final byte[] CONTENT_ENCODING = Words.fold("content-encoding");
    private static final byte[] TRANSFER_ENCODING = Words.fold("transfer-encoding");
    private final HttpLimits limits;
    private final Lines lines;
    private final MessageFraming framing = new MessageFraming();
    private final CallFields call = new CallFields();

    private int headBytes;
    private int count;
    private boolean host;
    private boolean contentEncoding;
    private ContentType contentType;

    HeaderFields(HttpLimits limits, Lines lines) {
        this.limits = limits;
        this.lines = lines;
        reset();
    }

    void reset() {
        headBytes = 0;
        count = 0;
        host = false;
        framing.reset();
        contentEncoding = false;
        contentType = ContentType.NONE;
        call.reset();
    }

    /** Whether all header fields are there. */
    boolean parse(ByteBuf in) throws CallException {
        while (true) {
            int start = in.readerIndex();
            int end = lines.end(in, limits.maxHead() - headBytes - 2);
            if (end == Lines.INCOMPLETE) {
                return false;
            }
            if (end == Lines.TOO_LONG) {
                throw new CallException(
                        Outcome.HEAD_TOO_LARGE, "header fields of more than " + limits.maxHead() + " bytes");
            }
            headBytes += end + 2 - start;
            in.readerIndex(end + 2);
            if (end == start) {
                return true;
            }
            if (++count > limits.maxHeaders()) {
                throw new CallException(Outcome.HEAD_TOO_LARGE, "more than " + limits.maxHeaders() + " header fields");
            }
            field(in, start, end);
        }
    }

    private void field(ByteBuf in, int start, int end) throws CallException {
        // The CR behind the line ends the token if nothing else does.
        int colon = Tokens.end(in, start);
        if (colon == start || in.getByte(colon) != ':') {
            throw bad("a header field that is not a name, a colon and a value");
        }
        int value = Tokens.skipBlanks(in, colon + 1, end);
        int valueEnd = Tokens.trimBlanks(in, value, end);
        switch (colon - start) {
            case 4 -> {
                if (Words.equalInAnyCase(in, start, HOST)) {
                    host(in, value, valueEnd);
                }
            }
            case 6 -> {
                if (Words.equalInAnyCase(in, start, EXPECT)) {
                    framing.expect(in, value, valueEnd);
                }
            }
            case 10 -> {
                if (Words.equalInAnyCase(in, start, CONNECTION)) {
                    framing.connection(in, value, valueEnd);
                } else {
                    call.field(in, start, colon, value, valueEnd);
                }
            }
            case 12 -> {
                if (Words.equalInAnyCase(in, start, CONTENT_TYPE)) {
                    contentType(in, value, valueEnd);
                }
            }
            case 14 -> {
                if (Words.equalInAnyCase(in, start, CONTENT_LENGTH)) {
                    framing.contentLength(in, value, valueEnd);
                } else {
                    call.field(in, start, colon, value, valueEnd);
                }
            }
            case 16 -> contentEncoding |= Words.equalInAnyCase(in, start, CONTENT_ENCODING);
            case 17 -> {
                if (Words.equalInAnyCase(in, start, TRANSFER_ENCODING)) {
                    framing.transferEncoding(in, value, valueEnd);
                } else {
                    call.field(in, start, colon, value, valueEnd);
                }
            }
            default -> call.field(in, start, colon, value, valueEnd);
        }
    }

    private void host(ByteBuf in, int at, int end) throws CallException {
        if (host) {
            throw bad("Host is given twice");
        }
        if (!Authority.is(in, at, end)) {
            throw bad("Host is not a host");
        }
        host = true;
    }

    private void contentType(ByteBuf in, int at, int end) {
        if (contentType != ContentType.NONE) {
            call.reject(Outcome.BAD_REQUEST, "Content-Type is given twice");
            return;
        }
        contentType = ContentType.of(in, at, end);
    }

    /** What can be said of the head only when all of it is there. */
    void check(boolean http10, boolean post) throws CallException {
        if (!host && !http10) {
            throw bad("Host is missing");
        }
        framing.check(http10, post, limits.maxBody());
    }

    /** Where the request ends, and whether another may follow. */
    MessageFraming framing() {
        return framing;
    }

    /** What they say of the call. */
    CallFields call() {
        return call;
    }

    ContentType contentType() {
        return contentType;
    }

    boolean hasContentEncoding() {
        return contentEncoding;
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
