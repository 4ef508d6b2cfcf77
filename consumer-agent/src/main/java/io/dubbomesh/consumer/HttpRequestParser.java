package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Reads HTTP/1.1 requests (RFC 9112) in place, strictly: what two parsers could take for different requests is refused.
 * One per connection, used by its event loop alone. Header fields never become objects; a request of the usual kind allocates
 * nothing.
 * <pre>
 *                                   +-> EXPECTING -+
 *                                   |              v
 *  -----> REQUEST_LINE --> FIELDS --+--> FIXED_BODY or CHUNKED_BODY --> COMPLETE
 *              ^                                                           |
 *              +--------------------------- next parse --------------------+
 * </pre>
 * and from each of them to FAILED, which is for ever.
 */
final class HttpRequestParser implements AutoCloseable {
    enum Result {
        /** Call again with more bytes behind those that are still readable. */
        NEED_DATA,
        /**
         * The client waits with the body for an interim answer: send 100 and call again; or, to refuse the request
         * ({@link #rejection()} or any other reason that its head gives), send the final answer and close.
         */
        CONTINUE,
        /** One request: the accessors describe it until the next call of {@link #parse} or {@link #close}. */
        REQUEST,
        /** The bytes are no request: answer {@link #failure()}, close, and parse nothing behind it. */
        FAILED
    }

    private enum State {
        REQUEST_LINE,
        FIELDS,
        EXPECTING,
        FIXED_BODY,
        CHUNKED_BODY,
        COMPLETE,
        FAILED
    }

    /** Of each buffer that a connection keeps from request to request; there may be thousands of idle ones. */
    static final int MAX_KEPT_CAPACITY = 1024;

    private static final String POST = "POST";
    private static final int FIRST_CAPACITY = 64;
    private static final int MAX_METHOD = 32;
    private static final int VERSION_LENGTH = "HTTP/1.1".length();

    private static final byte[] USUAL_REQUEST_LINE = ascii("POST / HTTP/1.1\r\n");
    private static final byte[] SLASH = ascii("/");
    private static final byte[] POST_BYTES = ascii(POST);
    private static final byte[] OPTIONS_BYTES = ascii("OPTIONS");
    private static final byte[] CONNECT_BYTES = ascii("CONNECT");
    private static final byte[] HTTP = ascii("HTTP/");
    private static final byte[] HTTP_SCHEME = Words.fold("http://");
    private static final byte[] HTTPS_SCHEME = Words.fold("https://");

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
    private final Lines lines = new Lines();
    private final ChunkedBody chunks;
    private final RequestAttachments attachments = new RequestAttachments();
    private ByteBuf target = Unpooled.buffer(FIRST_CAPACITY);
    private final KeptValue parameterTypes = new KeptValue();
    private final KeptValue version = new KeptValue();
    private final KeptValue group = new KeptValue();

    private State state = State.REQUEST_LINE;
    private Outcome failure;
    private String detail;
    private Outcome rejection;
    private String rejectionDetail;

    // The request line.
    private boolean emptyLineSkipped;
    /** So many bytes of the method have arrived and are fine. */
    private int methodLength;

    private String method;
    private boolean root;
    private boolean http10;

    // The header fields.
    private int headBytes;
    private int fields;
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

    // The body.
    private ByteBuf body;
    private int bodyOffset;
    private int bodyLength;

    /** @param allocator gives the buffers that chunked bodies are collected in */
    HttpRequestParser(HttpLimits limits, ByteBufAllocator allocator) {
        this.limits = limits;
        chunks = new ChunkedBody(limits, allocator, lines);
        reset();
    }

    private void reset() {
        state = State.REQUEST_LINE;
        rejection = null;
        rejectionDetail = null;
        emptyLineSkipped = false;
        methodLength = 0;
        method = POST;
        root = false;
        http10 = false;
        target = target.capacity() > MAX_KEPT_CAPACITY ? Unpooled.buffer(FIRST_CAPACITY) : target.clear();
        headBytes = 0;
        fields = 0;
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
        chunks.reset();
        body = Unpooled.EMPTY_BUFFER;
        bodyOffset = 0;
        bodyLength = 0;
    }

    /**
     * Goes on with the bytes from {@code in.readerIndex()} and moves it behind what it is done with. What stays readable must be
     * readable again at the next call, with more behind it, be it at another index or in another buffer. A body of known length
     * stays in {@code in} until all of it is there; a chunked one is taken out as it comes. Worth a call without a readable byte
     * when a request is done with: it lets go of what the connection need not keep.
     */
    Result parse(ByteBuf in) {
        try {
            return advance(in);
        } catch (CallException e) {
            state = State.FAILED;
            failure = e.outcome();
            detail = e.getMessage();
            return Result.FAILED;
        }
    }

    private Result advance(ByteBuf in) throws CallException {
        while (true) {
            switch (state) {
                case REQUEST_LINE -> {
                    if (!requestLine(in)) {
                        return Result.NEED_DATA;
                    }
                    state = State.FIELDS;
                }
                case FIELDS -> {
                    if (!fields(in)) {
                        return Result.NEED_DATA;
                    }
                    boolean hasBody = codings > 0 || contentLength > 0;
                    state = expectsContinue && !http10 && hasBody ? State.EXPECTING : bodyState();
                }
                case EXPECTING -> {
                    state = bodyState();
                    if (!in.isReadable()) {
                        return Result.CONTINUE;
                    }
                }
                case FIXED_BODY -> {
                    int length = (int) Math.max(contentLength, 0);
                    if (in.readableBytes() < length) {
                        return Result.NEED_DATA;
                    }
                    int offset = in.readerIndex();
                    in.readerIndex(offset + length);
                    return complete(in, offset, length);
                }
                case CHUNKED_BODY -> {
                    if (!chunks.parse(in)) {
                        return Result.NEED_DATA;
                    }
                    ByteBuf collected = chunks.body();
                    return complete(collected, collected.readerIndex(), collected.readableBytes());
                }
                case COMPLETE -> reset();
                case FAILED -> {
                    return Result.FAILED;
                }
            }
        }
    }

    private State bodyState() {
        return codings > 0 ? State.CHUNKED_BODY : State.FIXED_BODY;
    }

    private Result complete(ByteBuf body, int offset, int length) {
        this.body = body;
        bodyOffset = offset;
        bodyLength = length;
        state = State.COMPLETE;
        return Result.REQUEST;
    }

    private boolean requestLine(ByteBuf in) throws CallException {
        int usual = USUAL_REQUEST_LINE.length;
        if (in.readableBytes() >= usual && Words.equal(in, in.readerIndex(), USUAL_REQUEST_LINE, 0, usual)) {
            lines.reset();
            in.skipBytes(usual);
            root = true;
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
            return requestLine(in);
        }
        // Not left to the whole line, so that what is no HTTP at all is found out by its first byte.
        if (!method(in)) {
            return false;
        }
        int start = in.readerIndex();
        int end = lines.end(in, limits.maxRequestLine());
        if (end == Lines.INCOMPLETE) {
            return false;
        }
        if (end == Lines.TOO_LONG) {
            throw new CallException(
                    Outcome.TARGET_TOO_LONG, "a request line of more than " + limits.maxRequestLine() + " bytes");
        }
        int targetOffset = start + methodLength + 1;
        int targetEnd = targetEnd(in, targetOffset);
        version(in, targetEnd + 1, end);
        boolean post = equal(in, start, start + methodLength, POST_BYTES);
        if (!post) {
            method = in.toString(start, methodLength, US_ASCII);
        }
        target(in, start, targetOffset, targetEnd);
        in.readerIndex(end + 2);
        return true;
    }

    /** Whether the method and the space behind it are there. */
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

    /** The index of the space behind the target. */
    private static int targetEnd(ByteBuf in, int start) throws CallException {
        int at = start;
        byte character;
        // The CR behind the line ends the loop if nothing else does.
        while ((character = in.getByte(at)) > ' ' && character != '#') {
            at++;
        }
        if (at == start || character != ' ') {
            throw bad("a request line that is not a method, a target and a version with single spaces between");
        }
        return at;
    }

    private void version(ByteBuf in, int at, int end) throws CallException {
        if (end - at != VERSION_LENGTH || !Words.equal(in, at, HTTP, 0, HTTP.length)) {
            throw bad("a request line that does not end with the HTTP version");
        }
        byte major = in.getByte(at + HTTP.length);
        byte minor = in.getByte(end - 1);
        if (!isDigit(major) || in.getByte(end - 2) != '.' || !isDigit(minor)) {
            throw bad("a request line that does not end with the HTTP version");
        }
        if (major != '1') {
            throw new CallException(
                    Outcome.VERSION_NOT_SUPPORTED,
                    "HTTP/" + (char) major + '.' + (char) minor + " (expected: HTTP/1.1)");
        }
        http10 = minor == '0';
    }

    private void target(ByteBuf in, int methodOffset, int at, int end) throws CallException {
        int methodEnd = methodOffset + methodLength;
        if (in.getByte(at) != '/' && !equal(in, methodOffset, methodEnd, CONNECT_BYTES)) {
            boolean asterisk = end - at == 1 && in.getByte(at) == '*';
            if (!asterisk || !equal(in, methodOffset, methodEnd, OPTIONS_BYTES)) {
                at = pathOfAbsolute(in, at, end);
                if (at == end || in.getByte(at) == '?') {
                    target.writeBytes(SLASH);
                }
            }
        }
        target.writeBytes(in, at, end - at);
        root = target.getByte(0) == '/' && (target.writerIndex() == 1 || target.getByte(1) == '?');
    }

    private static int pathOfAbsolute(ByteBuf in, int at, int end) throws CallException {
        int authority = startsWith(in, at, end, HTTP_SCHEME)
                ? at + HTTP_SCHEME.length
                : startsWith(in, at, end, HTTPS_SCHEME) ? at + HTTPS_SCHEME.length : end;
        int path = Words.firstOf(in, authority, end, '/', '?');
        if (!isAuthority(in, authority, path)) {
            throw bad("a target that is neither a path nor an http address");
        }
        return path;
    }

    /** Whether all header fields are there. */
    private boolean fields(ByteBuf in) throws CallException {
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
                checkHead();
                return true;
            }
            if (++fields > limits.maxHeaders()) {
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
        if (kept.present) {
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
        if (!isAuthority(in, at, end)) {
            throw bad("Host is not a host");
        }
        host = true;
    }

    /** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port (RFC 3986, section 3.2, without user). */
    private static boolean isAuthority(ByteBuf in, int at, int end) {
        if (at == end) {
            return false;
        }
        if (in.getByte(at) == '[') {
            int address = ++at;
            while (at < end
                    && (PercentText.hex(in.getByte(at)) >= 0 || in.getByte(at) == ':' || in.getByte(at) == '.')) {
                at++;
            }
            if (at == address || at == end || in.getByte(at++) != ']') {
                return false;
            }
        } else {
            int name = at;
            while (at < end && isNameCharacter(in.getByte(at))) {
                at++;
            }
            if (at == name) {
                return false;
            }
        }
        if (at < end && in.getByte(at++) != ':') {
            return false;
        }
        while (at < end && isDigit(in.getByte(at))) {
            at++;
        }
        return at == end;
    }

    /** The token characters are those of a host's name but for four, which no host has, and the other way round. */
    private static boolean isNameCharacter(byte character) {
        return switch (character) {
            case '#', '^', '`', '|' -> false;
            case '(', ')', ',', ';', '=' -> true;
            default -> Tokens.isToken(character);
        };
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
            length = isDigit(digit) && fits ? length * 10 + digit - '0' : -1;
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
            if (!isDigit(digit)) {
                return -1;
            }
            number = Math.min(number * 10 + digit - '0', Integer.MAX_VALUE);
        }
        return number == 0 ? -1 : (int) number;
    }

    /** What can be said of the head only when all of it is there. */
    private void checkHead() throws CallException {
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
        } else if (contentLength < 0 && isPost()) {
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

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    private static boolean equal(ByteBuf in, int at, int end, byte[] bytes) {
        return end - at == bytes.length && Words.equal(in, at, bytes, 0, bytes.length);
    }

    private static boolean startsWith(ByteBuf in, int at, int end, byte[] folded) {
        return end - at >= folded.length && Words.equalInAnyCase(in, at, folded);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }

    /** Whether part of a request is consumed and the rest is missing; bytes left readable are part of one as well. */
    boolean inRequest() {
        return state != State.REQUEST_LINE && state != State.COMPLETE && state != State.FAILED;
    }

    /** Whether what is missing of a request is only (part of) its body. */
    boolean inBody() {
        return state == State.FIXED_BODY || state == State.CHUNKED_BODY;
    }

    /** Why the bytes are no request; null unless {@link Result#FAILED}. */
    Outcome failure() {
        return failure;
    }

    String detail() {
        return detail;
    }

    /**
     * Why a request that is sound as a message cannot be served, or null: its answer does not end the connection. Known with the
     * head, that is at {@link Result#CONTINUE} already.
     */
    Outcome rejection() {
        return rejection;
    }

    String rejectionDetail() {
        return rejectionDetail;
    }

    boolean isPost() {
        return method.equals(POST);
    }

    /** The method as sent, {@code POST} itself for POST. */
    String method() {
        return method;
    }

    /** Whether the path is {@code /}, with a query or without. */
    boolean isRoot() {
        return root;
    }

    /**
     * The path and the query, all of it readable; of an absolute target too. {@code *} and the authority if the method is OPTIONS
     * or CONNECT and the client says so. Printable ASCII, at least one byte. Reused, not to be released.
     */
    ByteBuf target() {
        return target;
    }

    boolean isHttp10() {
        return http10;
    }

    /** Whether the client wants the connection to go on. */
    boolean keepAlive() {
        return !close && (keepAlive || !http10);
    }

    ContentType contentType() {
        return contentType;
    }

    boolean hasContentEncoding() {
        return contentEncoding;
    }

    /** X-Request-Timeout, not compared with any limit; 0 if absent, -1 if not a whole number above 0 or given twice. */
    int timeoutMillis() {
        return timeoutMillis;
    }

    /** A block of {@link io.dubbomesh.protocol.Attachments}, all of it readable; reused, not to be released. */
    ByteBuf attachments() {
        return attachments.block();
    }

    /** X-Dubbo-Parameter-Types as sent, all of it readable, or null if absent; reused, not to be released. */
    ByteBuf parameterTypes() {
        return parameterTypes.orNull();
    }

    /** X-Dubbo-Version, likewise. */
    ByteBuf version() {
        return version.orNull();
    }

    /** X-Dubbo-Group, likewise. */
    ByteBuf group() {
        return group.orNull();
    }

    /**
     * The buffer that the body is in, at {@link #bodyOffset()}: the one given to {@link #parse}, whose reader index is behind
     * the body, or the parser's own. Not to be released.
     */
    ByteBuf body() {
        return body;
    }

    int bodyOffset() {
        return bodyOffset;
    }

    int bodyLength() {
        return bodyLength;
    }

    /** Frees what the parser holds. */
    @Override
    public void close() {
        state = State.FAILED;
        body = Unpooled.EMPTY_BUFFER;
        chunks.close();
    }

    /** A copy of a field's value, since the head is gone when the body is there. */
    private static final class KeptValue {
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
        private boolean present;

        void clear() {
            present = false;
            if (bytes.capacity() > MAX_KEPT_CAPACITY) {
                bytes = Unpooled.EMPTY_BUFFER;
            }
        }

        void set(ByteBuf in, int offset, int length) {
            if (bytes.capacity() < length) {
                bytes = Unpooled.buffer(length);
            }
            bytes.clear().writeBytes(in, offset, length);
            present = true;
        }

        ByteBuf orNull() {
            return present ? bytes : null;
        }
    }
}
