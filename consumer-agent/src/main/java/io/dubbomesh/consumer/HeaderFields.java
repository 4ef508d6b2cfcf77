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
    private static final byte[] TIMEOUT = Words.fold("x-request-timeout");
    private static final byte[] DUBBO_GROUP = Words.fold("x-dubbo-group");
    private static final byte[] DUBBO_VERSION = Words.fold("x-dubbo-version");
    private static final byte[] DUBBO_TYPES = Words.fold("x-dubbo-parameter-types");
    private static final byte[] DUBBO_ATTACHMENTS = Words.fold("x-dubbo-attachments");
    private static final byte[] DUBBO_ATTACHMENT_PREFIX = Words.fold("x-dubbo-attachment-");

    private final HttpLimits limits;
    private final Lines lines;
    private final MessageFraming framing = new MessageFraming();
    private final RequestAttachments attachments = new RequestAttachments();
    private final KeptValue parameterTypes = new KeptValue();
    private final KeptValue version = new KeptValue();
    private final KeptValue group = new KeptValue();

    private Outcome rejection;
    private String rejectionDetail;

    private int headBytes;
    private int count;
    private boolean host;
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
        framing.reset();
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
                    framing.expect(in, value, valueEnd);
                }
            }
            case 7 -> trace(in, start, value, valueEnd, RequestAttachments.BAGGAGE);
            case 10 -> {
                if (Words.equalInAnyCase(in, start, CONNECTION)) {
                    framing.connection(in, value, valueEnd);
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
                    framing.contentLength(in, value, valueEnd);
                }
            }
            case 15 -> keep(in, start, value, valueEnd, DUBBO_VERSION, version, "X-Dubbo-Version is given twice");
            case 16 -> contentEncoding |= Words.equalInAnyCase(in, start, CONTENT_ENCODING);
            case 17 -> {
                if (Words.equalInAnyCase(in, start, TRANSFER_ENCODING)) {
                    framing.transferEncoding(in, value, valueEnd);
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

    private void contentType(ByteBuf in, int at, int end) {
        if (contentType != ContentType.NONE) {
            reject(Outcome.BAD_REQUEST, "Content-Type is given twice");
            return;
        }
        contentType = ContentType.of(in, at, end);
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
        framing.check(http10, post, limits.maxBody());
    }

    /** Where the request ends, and whether another may follow. */
    MessageFraming framing() {
        return framing;
    }

    Outcome rejection() {
        return rejection;
    }

    String rejectionDetail() {
        return rejectionDetail;
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

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
