package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The header fields of a request, read in place line by line; of each only what matters here is kept. Reused from
 * request to request.
 */
final class HeaderFields {
    private static final int MAX_SHOWN = 256;

    private final HttpLimits limits;
    private final Lines lines;
    private final MessageFraming framing = new MessageFraming();
    private final RequestFields others;
    /** Null where pages of browsers are no matter. */
    private final CrossOrigin crossOrigin;

    private final HeaderTable table = new HeaderTable();

    private int headBytes;
    private int count;
    private boolean host;
    private boolean contentEncoding;
    private ContentType contentType;
    /** The media type as sent, if no call has it; null for the others. */
    private String otherType;

    /**
     * @param others      get the fields that do not concern HTTP itself
     * @param crossOrigin gets those of browsers' pages; null where they are no matter
     */
    HeaderFields(HttpLimits limits, Lines lines, RequestFields others, CrossOrigin crossOrigin) {
        this.limits = limits;
        this.lines = lines;
        this.others = others;
        this.crossOrigin = crossOrigin;
        table.add("host", this::host);
        table.add("expect", framing::expect);
        table.add("connection", framing::connection);
        table.add("content-type", this::contentType);
        table.add("content-length", framing::contentLength);
        table.add("content-encoding", (in, value, valueEnd) -> contentEncoding = true);
        table.add("transfer-encoding", framing::transferEncoding);
        others.register(table);
        if (crossOrigin != null) {
            crossOrigin.register(table);
        }
        reset();
    }

    void reset() {
        headBytes = 0;
        count = 0;
        host = false;
        framing.reset();
        contentEncoding = false;
        contentType = ContentType.NONE;
        otherType = null;
        others.reset();
        if (crossOrigin != null) {
            crossOrigin.reset();
        }
    }

    /** Returns whether all header fields are there. */
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
        table.take(in, start, colon, value, valueEnd);
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
        contentType = contentType == ContentType.NONE ? ContentType.of(in, at, end) : ContentType.REPEATED;
        if (contentType == ContentType.OTHER) {
            otherType = in.toString(at, Math.min(end - at, MAX_SHOWN), ISO_8859_1);
        }
    }

    /**
     * Makes the checks that need the complete head.
     *
     * @param needsLength whether the request must say how long its body is
     */
    void check(boolean http10, boolean needsLength) throws CallException {
        if (!host && !http10) {
            throw bad("Host is missing");
        }
        framing.check(http10, needsLength, limits.maxBody());
    }

    /** Returns the end of the request, and whether another may follow. */
    MessageFraming framing() {
        return framing;
    }

    /** Returns the fields that do not concern HTTP itself. */
    RequestFields others() {
        return others;
    }

    ContentType contentType() {
        return contentType;
    }

    String sentContentType() {
        return otherType == null ? contentType.text() : otherType;
    }

    boolean hasContentEncoding() {
        return contentEncoding;
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
