package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/**
 * The header fields that say where a request ends and whether its connection goes on (RFC 9112, sections 6 and 9; RFC
 * 9110, section 10.1.1). Reused from request to request.
 */
final class MessageFraming {
    private static final byte[] CHUNKED = Words.fold("chunked");
    private static final byte[] CLOSE = Words.fold("close");
    private static final byte[] KEEP_ALIVE = Words.fold("keep-alive");
    private static final byte[] HUNDRED_CONTINUE = Words.fold("100-continue");

    private long contentLength = -1;
    private int codings;
    private int chunkedCodings;
    private boolean chunkedLast;
    private boolean close;
    private boolean keepAlive;
    private boolean expectsContinue;
    private boolean expectsOther;

    void reset() {
        contentLength = -1;
        codings = 0;
        chunkedCodings = 0;
        chunkedLast = false;
        close = false;
        keepAlive = false;
        expectsContinue = false;
        expectsOther = false;
    }

    void expect(ByteBuf in, int at, int end) {
        while (at <= end) {
            int comma = Words.firstOf(in, at, end, ',', ',');
            int expectation = Tokens.skipBlanks(in, at, comma);
            int expectationEnd = Tokens.trimBlanks(in, expectation, comma);
            boolean known = Tokens.is(in, expectation, expectationEnd, HUNDRED_CONTINUE);
            expectsContinue |= known;
            // Empty elements of a list do not count (RFC 9110, section 5.6.1.2).
            expectsOther |= !known && expectation < expectationEnd;
            at = comma + 1;
        }
    }

    void connection(ByteBuf in, int at, int end) {
        while (at <= end) {
            int comma = Words.firstOf(in, at, end, ',', ',');
            int option = Tokens.skipBlanks(in, at, comma);
            int optionEnd = Tokens.trimBlanks(in, option, comma);
            close |= Tokens.is(in, option, optionEnd, CLOSE);
            keepAlive |= Tokens.is(in, option, optionEnd, KEEP_ALIVE);
            at = comma + 1;
        }
    }

    void contentLength(ByteBuf in, int at, int end) throws CallException {
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

    void transferEncoding(ByteBuf in, int at, int end) throws CallException {
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

    /**
     * The checks that need the complete head.
     *
     * @param needsLength whether the request must say how long its body is; without a length it has none otherwise (RFC
     *                    9112, section 6.3)
     */
    void check(boolean http10, boolean needsLength, long maxBody) throws CallException {
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
        } else if (contentLength < 0 && needsLength) {
            throw new CallException(
                    Outcome.LENGTH_REQUIRED, "a form with neither Content-Length nor Transfer-Encoding: chunked");
        }
        if (contentLength > maxBody) {
            throw new CallException(Outcome.BODY_TOO_LARGE, "a body of more than " + maxBody + " bytes");
        }
        if (expectsOther) {
            throw new CallException(Outcome.EXPECTATION_FAILED, "Expect is not 100-continue");
        }
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

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
