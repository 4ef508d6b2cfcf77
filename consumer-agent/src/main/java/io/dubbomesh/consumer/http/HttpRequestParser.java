package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * Reads HTTP/1.1 requests (RFC 9112) in place, strictly: what two parsers could take for different requests is refused.
 * Lent to a connection for a request, used by its event loop alone. Header fields never become objects; a request of
 * the usual kind allocates nothing.
 * <pre>
 *                           +---> EXPECTING ---+      where the client wants to be told before it sends the body
 *                           |                  v
 *  -> REQUEST_LINE -> FIELDS -> FIXED_BODY or CHUNKED_BODY -> COMPLETE
 *          ^                                                     |
 *          +-------------------- next parse ---------------------+
 * </pre>
 * and from each of them to FAILED, which is final.
 */
public final class HttpRequestParser implements AutoCloseable {
    public enum Result {
        /** Call again with more bytes behind those that are still readable. */
        NEED_DATA,
        /**
         * The head is there, and says that a body follows, which was not looked at: call again for it; or, to refuse
         * the request for a reason that its head gives, send the final answer and close. Only where
         * {@link RequestFields#checksHead}.
         */
        HEAD,
        /**
         * The client wants to be told whether to send the body; it may have sent it all the same. Call again, after an
         * interim answer 100 if nothing of the body is there; or, to refuse the request for a reason that its head
         * gives, send the final answer and close.
         */
        CONTINUE,
        /** One request: the accessors describe it until the next call of {@link #parse} or {@link #close}. */
        REQUEST,
        /** The bytes are not a request: answer {@link #failure()}, close, and parse nothing behind it. */
        FAILED
    }

    enum State {
        REQUEST_LINE,
        FIELDS,
        EXPECTING,
        FIXED_BODY,
        CHUNKED_BODY,
        COMPLETE,
        FAILED
    }

    private final Lines lines = new Lines();
    private final RequestLine line;
    private final HeaderFields fields;
    /** Null where pages of browsers are no matter. */
    private final CrossOrigin crossOrigin;

    private final boolean checksHead;
    private final MessageFraming framing;
    private final ChunkedBody chunks;

    private State state = State.REQUEST_LINE;
    private Outcome failure;
    private String detail;
    private ByteBuf body = Unpooled.EMPTY_BUFFER;
    private int bodyOffset;
    private int bodyLength;

    /**
     * @param allocator gives the buffers that chunked bodies are collected in
     * @param others    get the header fields that do not concern HTTP itself
     */
    public HttpRequestParser(HttpLimits limits, ByteBufAllocator allocator, RequestFields others) {
        this(limits, allocator, others, null);
    }

    /** @param origins of the pages that may call from a browser; null for none */
    public HttpRequestParser(
            HttpLimits limits, ByteBufAllocator allocator, RequestFields others, AllowedOrigins origins) {
        crossOrigin = origins == null ? null : new CrossOrigin(origins);
        line = new RequestLine(limits.maxRequestLine(), lines);
        fields = new HeaderFields(limits, lines, others, crossOrigin);
        checksHead = others.checksHead();
        framing = fields.framing();
        chunks = new ChunkedBody(limits, allocator, lines);
    }

    State state() {
        return state;
    }

    /** Makes it ready for another connection. */
    public void reset() {
        state = State.REQUEST_LINE;
        lines.reset();
        line.reset();
        fields.reset();
        chunks.reset();
        body = Unpooled.EMPTY_BUFFER;
        bodyOffset = 0;
        bodyLength = 0;
    }

    /**
     * Goes on with the bytes from {@code in.readerIndex()} and moves it behind what it is done with. What stays
     * readable must be readable again at the next call, with more behind it, possibly at another index or in another
     * buffer. A body of known length stays in {@code in} until all of it is there; a chunked one is taken out as it
     * comes. A call without a readable byte after a request releases what the connection need not keep.
     */
    public Result parse(ByteBuf in) {
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
                    if (!line.parse(in)) {
                        return Result.NEED_DATA;
                    }
                    state = State.FIELDS;
                }
                case FIELDS -> {
                    if (!fields.parse(in)) {
                        return Result.NEED_DATA;
                    }
                    fields.check(line.isHttp10(), line.isPost() && isRoot());
                    if (crossOrigin != null) {
                        crossOrigin.check(method(), hasBody());
                    }
                    state = stateBehindHead();
                    if (checksHead && hasBody()) {
                        return Result.HEAD;
                    }
                }
                case EXPECTING -> {
                    state = bodyState();
                    return Result.CONTINUE;
                }
                case FIXED_BODY -> {
                    int length = (int) Math.max(framing.contentLength(), 0);
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

    private boolean isRoot() {
        ByteBuf target = line.target();
        return target.readableBytes() == 1 || target.getByte(target.readerIndex() + 1) == '?';
    }

    private State stateBehindHead() {
        return framing.expectsContinue() && !line.isHttp10() && hasBody() ? State.EXPECTING : bodyState();
    }

    private State bodyState() {
        return framing.isChunked() ? State.CHUNKED_BODY : State.FIXED_BODY;
    }

    private Result complete(ByteBuf body, int offset, int length) {
        this.body = body;
        bodyOffset = offset;
        bodyLength = length;
        state = State.COMPLETE;
        return Result.REQUEST;
    }

    /**
     * Returns whether no part of a request is consumed that is not complete; bytes left readable may be part of one.
     */
    public boolean isBetweenRequests() {
        return state == State.REQUEST_LINE || state == State.COMPLETE;
    }

    /**
     * Returns whether nothing has come of a request but an empty line that was skipped. What reads the rest of it, if
     * that is another parser, is to {@link #startAfterEmptyLine}, so that no second one is skipped.
     */
    public boolean isAfterEmptyLine() {
        return state == State.REQUEST_LINE && line.isAfterEmptyLine();
    }

    public void startAfterEmptyLine() {
        line.startAfterEmptyLine();
    }

    /** Returns whether what is missing of a request is only (part of) its body. */
    public boolean inBody() {
        return state == State.FIXED_BODY || state == State.CHUNKED_BODY;
    }

    /**
     * Returns the number of bytes of the body that have arrived, while {@link #inBody}.
     *
     * @param unparsed bytes that were left readable
     */
    public int bodyBytes(int unparsed) {
        return state == State.CHUNKED_BODY ? chunks.body().readableBytes() : unparsed;
    }

    /** Returns the most bytes that the body can have, while {@link #inBody}. */
    public int bodyLimit() {
        return state == State.CHUNKED_BODY ? chunks.limit() : (int) Math.max(framing.contentLength(), 0);
    }

    /** Returns the reason for which the bytes are not a request; null unless {@link Result#FAILED}. */
    public Outcome failure() {
        return failure;
    }

    public String detail() {
        return detail;
    }

    /** Returns whether that is because the client speaks HTTP/2. */
    public boolean isHttp2() {
        return line.isHttp2();
    }

    /** Returns the method as sent, {@code POST} itself for POST. */
    public String method() {
        return line.method();
    }

    /**
     * Returns the path and the query, all of it readable; of an absolute target too. {@code *} and the authority if the
     * method is OPTIONS or CONNECT and the client says so. Printable ASCII, at least one byte. Reused, not to be
     * released.
     */
    public ByteBuf target() {
        return line.target();
    }

    public boolean isHttp10() {
        return line.isHttp10();
    }

    /** Returns whether the client allows another request on this connection. */
    public boolean keepAlive() {
        // What follows a CONNECT need not be another request for a proxy that has passed it on.
        return framing.keepAlive(line.isHttp10()) && !line.isConnect();
    }

    /** Returns whether the body has a byte, as far as that is known: of a chunked one when it is complete. */
    public boolean hasContent() {
        return framing.contentLength() > 0 || bodyLength > 0;
    }

    /** Returns whether the head says that there is a body, which may turn out to be empty. */
    public boolean hasBody() {
        return framing.isChunked() || framing.contentLength() > 0;
    }

    public ContentType contentType() {
        return fields.contentType();
    }

    /** Returns the type as the client has sent it; null if it is {@link ContentType#NONE}. */
    public String sentContentType() {
        return fields.sentContentType();
    }

    public boolean hasContentEncoding() {
        return fields.hasContentEncoding();
    }

    /** Returns the fields that do not concern HTTP itself. */
    public RequestFields fields() {
        return fields.others();
    }

    /** Returns whether a browser asks with this request whether its page may make another one. */
    public boolean isPreflight() {
        return crossOrigin != null && crossOrigin.isPreflight(method(), hasBody());
    }

    /** Returns header fields that let the page make the request that a preflight asks for; null if it may not. */
    public byte[] preflightFields() {
        return crossOrigin.preflightFields();
    }

    /** Returns header fields that let the page read the answer; null if it may not, or if there is no page. */
    public byte[] crossOriginFields() {
        return crossOrigin == null ? null : crossOrigin.answerFields();
    }

    /**
     * Returns the buffer that the body is in, at {@link #bodyOffset()}: the one given to {@link #parse}, whose reader
     * index is behind the body, or the parser's own. Not to be released.
     */
    public ByteBuf body() {
        return body;
    }

    public int bodyOffset() {
        return bodyOffset;
    }

    public int bodyLength() {
        return bodyLength;
    }

    /** Frees what the parser holds. */
    @Override
    public void close() {
        state = State.FAILED;
        body = Unpooled.EMPTY_BUFFER;
        chunks.close();
    }
}
