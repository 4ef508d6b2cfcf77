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

    /** The values of {@code Connection}; a close outweighs all else. */
    private enum Persistence {
        DEFAULT,
        KEEP_ALIVE,
        CLOSE
    }

    /** The values of {@code Expect}; an unknown expectation outweighs the other. */
    private enum Expectation {
        NONE,
        CONTINUE,
        OTHER
    }

    private long contentLength = -1;
    private TransferCoding coding = TransferCoding.NONE;
    private Persistence persistence = Persistence.DEFAULT;
    private Expectation expectation = Expectation.NONE;

    void reset() {
        contentLength = -1;
        coding = TransferCoding.NONE;
        persistence = Persistence.DEFAULT;
        expectation = Expectation.NONE;
    }

    void expect(ByteBuf in, int at, int end) {
        while (at <= end) {
            int comma = Words.firstOf(in, at, end, ',', ',');
            int element = Tokens.skipBlanks(in, at, comma);
            int elementEnd = Tokens.trimBlanks(in, element, comma);
            // Empty elements of a list do not count (RFC 9110, section 5.6.1.2).
            if (element < elementEnd && expectation != Expectation.OTHER) {
                expectation =
                        Tokens.is(in, element, elementEnd, HUNDRED_CONTINUE) ? Expectation.CONTINUE : Expectation.OTHER;
            }
            at = comma + 1;
        }
    }

    void connection(ByteBuf in, int at, int end) {
        while (at <= end) {
            int comma = Words.firstOf(in, at, end, ',', ',');
            int option = Tokens.skipBlanks(in, at, comma);
            int optionEnd = Tokens.trimBlanks(in, option, comma);
            if (Tokens.is(in, option, optionEnd, CLOSE)) {
                persistence = Persistence.CLOSE;
            } else if (persistence == Persistence.DEFAULT && Tokens.is(in, option, optionEnd, KEEP_ALIVE)) {
                persistence = Persistence.KEEP_ALIVE;
            }
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
            int name = Tokens.skipBlanks(in, at, comma);
            int nameEnd = Tokens.trimBlanks(in, name, comma);
            if (name == nameEnd || Tokens.end(in, name) < nameEnd) {
                throw bad("Transfer-Encoding is not a list of names");
            }
            coding = coding.then(Tokens.is(in, name, nameEnd, CHUNKED));
            at = comma + 1;
        }
    }

    /**
     * Makes the checks that need the complete head.
     *
     * @param needsLength whether the request must say how long its body is; without a length it has none otherwise (RFC
     *                    9112, section 6.3)
     */
    void check(boolean http10, boolean needsLength, long maxBody) throws CallException {
        if (isChunked()) {
            if (contentLength >= 0) {
                throw bad("both Content-Length and Transfer-Encoding");
            }
            if (http10) {
                throw bad("Transfer-Encoding in HTTP/1.0");
            }
            coding.check();
        } else if (contentLength < 0 && needsLength) {
            throw new CallException(
                    Outcome.LENGTH_REQUIRED, "a form with neither Content-Length nor Transfer-Encoding: chunked");
        }
        if (contentLength > maxBody) {
            throw new CallException(Outcome.BODY_TOO_LARGE, "a body of more than " + maxBody + " bytes");
        }
        if (expectation == Expectation.OTHER) {
            throw new CallException(Outcome.EXPECTATION_FAILED, "Expect is not 100-continue");
        }
    }

    /** Returns the length of the body, -1 if the field is absent. */
    long contentLength() {
        return contentLength;
    }

    boolean isChunked() {
        return coding != TransferCoding.NONE;
    }

    boolean expectsContinue() {
        return expectation == Expectation.CONTINUE;
    }

    boolean keepAlive(boolean http10) {
        return switch (persistence) {
            case DEFAULT -> !http10;
            case KEEP_ALIVE -> true;
            case CLOSE -> false;
        };
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
