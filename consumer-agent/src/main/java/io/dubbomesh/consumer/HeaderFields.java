package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The header fields of a request, read in place line by line; of each only what matters here is kept. Reused from request to request by one
 * connection.
 */
final class HeaderFields {
    private static final byte[] HOST = Words.fold("host");
    private static final byte[] EXPECT = Words.fold("expect");
    private static final byte[] CONNECTION = Words.fold("connection");
    private static final byte[] CONTENT_TYPE = Words.fold("content-type");
    private static final byte[] CONTENT_LENGTH = Words.fold("content-length");
    private static final byte[] CONTENT_ENCODING = Words.fold("content-encoding");
    private static final byte[] TRANSFER_ENCODING = Words.fold("transfer-encoding");
    private static final byte[] TIMEOUT = Words.fold("x-request-timeout");
    private static final byte[] DUBBO_GROUP = Words.fold("x-dubbo-group");
    private static final byte[] DUBBO_VERSION = Words.fold("x-dubbo-version");
    private static final byte[] DUBBO_TYPES = Words.fold("x-dubbo-parameter-types");
    private static final byte[] DUBBO_ATTACHMENTS = Words.fold("x-dubbo-attachments");
    private static final byte[] DUBBO_ATTACHMENT_PREFIX = Words.fold("x-dubbo-attachment-");

    private static final byte[] CHUNKED = Words.fold("chunked");
    private static final byte[] CLOSE = Words.fold("close");
    private static final byte[] KEEP_ALIVE = Words.fold("keep-alive");
    private static final byte[] HUNDRED_CONTINUE = Words.fold("100-continue");

    private final HttpLimits limits;
    private final Lines lines;
    private final RequestAttachments attachments = new RequestAttachments();
    private final KeptValue parameterTypes = new KeptValue();
    private final KeptValue version = new KeptValue();
    private final KeptValue group = new KeptValue();

    private Outcome rejection;
    private String rejectionDetail;

    private int headBytes;
    private int count;
    private boolean host;
    private long contentLength;
    private int codings;
    private int chunkedCodings;
    private boolean chunkedLast;
    private boolean close;
    private boolean keepAlive;
    private boolean expectsContinue;
    private boolean expectsOther;
    private boolean contentEncoding;
    private ContentType contentType;
    private int timeoutMillis;

    HeaderFields(HttpLimits limits, Lines lines) {
        this.limits = limits;
        this.lines = lines;
        reset();
    }

    void reset() {
        rejection = null;
        rejectionDetail = null;
        headBytes = 0;
        count = 0;
        host = false;
        contentLength = -1;
        codings = 0;
        chunkedCodings = 0;
        chunkedLast = false;
        close = false;
        keepAlive = false;
        expectsContinue = false;
        expectsOther = false;
        contentEncoding = false;
        contentType = ContentType.NONE;
        timeoutMillis = 0;
        attachments.clear();
        parameterTypes.clear();
        version.clear();
        group.clear();
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
                    boolean known = Tokens.is(in, value, valueEnd, HUNDRED_CONTINUE);
                    expectsContinue |= known;
                    expectsOther |= !known;
                }
            }
            case 7 -> trace(in, start, value, valueEnd, RequestAttachments.BAGGAGE);
            case 10 -> {
                if (Words.equalInAnyCase(in, start, CONNECTION)) {
                    connection(in, value, valueEnd);
                } else {
                    trace(in, start, value, valueEnd, RequestAttachments.TRACESTATE);
                }
            }
            case 11 -> trace(in, start, value, valueEnd, RequestAttachments.TRACEPARENT);
            case 12 -> {
                if (Words.equalInAnyCase(in, start, CONTENT_TYPE)) {
                    contentType(in, value, valueEnd);
                }
            }
            case 13 -> keep(in, start, value, valueEnd, DUBBO_GROUP, group, "X-Dubbo-Group is given twice");
            case 14 -> {
                if (Words.equalInAnyCase(in, start, CONTENT_LENGTH)) {
                    contentLength(in, value, valueEnd);
                }
            }
            case 15 -> keep(in, start, value, valueEnd, DUBBO_VERSION, version, "X-Dubbo-Version is given twice");
            case 16 -> contentEncoding |= Words.equalInAnyCase(in, start, CONTENT_ENCODING);
            case 17 -> {
                if (Words.equalInAnyCase(in, start, TRANSFER_ENCODING)) {
                    transferEncoding(in, value, valueEnd);
                } else if (Words.equalInAnyCase(in, start, TIMEOUT)) {
                    timeoutMillis = timeoutMillis == 0 ? positive(in, value, valueEnd) : -1;
                }
            }
            default -> longField(in, start, colon, value, valueEnd);
        }
    }

    private void longField(ByteBuf in, int start, int colon, int value, int valueEnd) {
        int length = colon - start;
        int prefix = DUBBO_ATTACHMENT_PREFIX.length;
        if (length < prefix) {
            return;
        }
        try {
            if (Words.equalInAnyCase(in, start, DUBBO_ATTACHMENT_PREFIX)) {
                attachments.addHeader(in, start + prefix, colon, value, valueEnd);
            } else if (length == prefix && Words.equalInAnyCase(in, start, DUBBO_ATTACHMENTS)) {
                attachments.addJson(in, value, valueEnd);
            } else if (length == DUBBO_TYPES.length) {
                keep(in, start, value, valueEnd, DUBBO_TYPES, parameterTypes, "X-Dubbo-Parameter-Types is given twice");
            }
        } catch (CallException e) {
            reject(e.outcome(), e.getMessage());
        }
    }

    private void trace(ByteBuf in, int start, int value, int valueEnd, byte[] name) {
        if (!Words.equalInAnyCase(in, start, name)) {
            return;
        }
        try {
            attachments.addTrace(name, in, value, valueEnd);
        } catch (CallException e) {
            reject(e.outcome(), e.getMessage());
        }
    }

    private void keep(ByteBuf in, int start, int value, int valueEnd, byte[] name, KeptValue kept, String twice) {
        if (!Words.equalInAnyCase(in, start, name)) {
            return;
        }
        if (kept.isPresent()) {
            reject(Outcome.BAD_REQUEST, twice);
            return;
        }
        kept.set(in, value, valueEnd - value);
    }

    private void reject(Outcome outcome, String detail) {
        if (rejection == null) {
            rejection = outcome;
            rejectionDetail = detail;
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

    private void connection(ByteBuf in, int at, int end) {
        while (at <= end) {
            int comma = Words.firstOf(in, at, end, ',', ',');
            int option = Tokens.skipBlanks(in, at, comma);
            int optionEnd = Tokens.trimBlanks(in, option, comma);
            close |= Tokens.is(in, option, optionEnd, CLOSE);
            keepAlive |= Tokens.is(in, option, optionEnd, KEEP_ALIVE);
            at = comma + 1;
        }
    }

    private void contentType(ByteBuf in, int at, int end) {
        if (contentType != ContentType.NONE) {
            reject(Outcome.BAD_REQUEST, "Content-Type is given twice");
            return;
        }
        contentType = ContentType.of(in, at, end);
    }

    private void contentLength(ByteBuf in, int at, int end) throws CallException {
        if (contentLength >= 0) {
            throw bad("Content-Length is given twice");
        }
        long length = at == end ? -1 : 0;
        for (; at < end && length >= 0; at++) {
            byte digit = in.getByte(at);
            boolean fits = length < Long.MAX_VALUE / 10 || length == Long.MAX_VALUE / 10 && digit <= '7';
            length = Tokens.isDigit(digit) && fits ? length * 10 + digit - '0' : -1;
        }
        if (length < 0) {
            throw bad("Content-Length is not a number below 2^63");
        }
        contentLength = length;
    }

    private void transferEncoding(ByteBuf in, int at, int end) throws CallException {
        while (at <= end) {
            int comma = Words.firstOf(in, at, end, ',', ',');
            int coding = Tokens.skipBlanks(in, at, comma);
            int codingEnd = Tokens.trimBlanks(in, coding, comma);
            if (coding == codingEnd || Tokens.end(in, coding) < codingEnd) {
                throw bad("Transfer-Encoding is not a list of names");
            }
            codings++;
            chunkedLast = Tokens.is(in, coding, codingEnd, CHUNKED);
            chunkedCodings += chunkedLast ? 1 : 0;
            at = comma + 1;
        }
    }

    /** The number that the bytes are, at most 2^31 - 1; -1 if they are no number or 0. */
    private static int positive(ByteBuf in, int at, int end) {
        long number = 0;
        for (; at < end; at++) {
            byte digit = in.getByte(at);
            if (!Tokens.isDigit(digit)) {
                return -1;
            }
            number = Math.min(number * 10 + digit - '0', Integer.MAX_VALUE);
        }
        return number == 0 ? -1 : (int) number;
    }

    /** What can be said of the head only when all of it is there. */
    void check(boolean http10, boolean post) throws CallException {
        if (!host && !http10) {
            throw bad("Host is missing");
        }
        if (codings > 0) {
            if (contentLength >= 0) {
                throw bad("both Content-Length and Transfer-Encoding");
            }
            if (http10) {
                throw bad("Transfer-Encoding in HTTP/1.0");
            }
            if (chunkedCodings > 1 || chunkedCodings == 1 && !chunkedLast) {
                throw bad("Transfer-Encoding: chunked is not the last coding");
            }
            if (chunkedCodings == 0 || codings > 1) {
                throw new CallException(Outcome.NOT_IMPLEMENTED, "Transfer-Encoding is not just chunked");
            }
        } else if (contentLength < 0 && post) {
            throw new CallException(
                    Outcome.LENGTH_REQUIRED, "a POST with neither Content-Length nor Transfer-Encoding: chunked");
        }
        if (contentLength > limits.maxBody()) {
            throw new CallException(Outcome.BODY_TOO_LARGE, "a body of more than " + limits.maxBody() + " bytes");
        }
        if (expectsOther) {
            throw new CallException(Outcome.EXPECTATION_FAILED, "Expect is not 100-continue");
        }
    }

    Outcome rejection() {
        return rejection;
    }

    String rejectionDetail() {
        return rejectionDetail;
    }

    /** Of the body, -1 if the field is absent. */
    long contentLength() {
        return contentLength;
    }

    boolean isChunked() {
        return codings > 0;
    }

    boolean expectsContinue() {
        return expectsContinue;
    }

    boolean keepAlive(boolean http10) {
        return !close && (keepAlive || !http10);
    }

    ContentType contentType() {
        return contentType;
    }

    boolean hasContentEncoding() {
        return contentEncoding;
    }

    int timeoutMillis() {
        return timeoutMillis;
    }

    ByteBuf attachments() {
        return attachments.block();
    }

    ByteBuf parameterTypes() {
        return parameterTypes.orNull();
    }

    ByteBuf version() {
        return version.orNull();
    }

    ByteBuf group() {
        return group.orNull();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
