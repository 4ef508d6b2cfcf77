package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * Puts a chunked body together (RFC 9112, section 7.1).
 * <pre>
 *            +------------------------------------+
 *            v                                    |
 *  -----> SIZE --(more than 0)--> DATA -----> DATA_END
 *            |
 *            +------(0)-----> TRAILERS -----> complete
 * </pre>
 * Extensions are read over, trailers too, unless they would change the framing or the target. Owns the buffer it fills.
 */
final class ChunkedBody implements AutoCloseable {
    /** More would not fit the 32 bits in which other parsers count; leading zeros are digits as well. */
    private static final int MAX_SIZE_DIGITS = 8;

    private static final int MAX_SIZE_LINE = 256;
    /** The capacity with which a body starts, in bytes, and the most that an idle connection keeps. */
    private static final int CAPACITY = 4096;
    /** A body of more bytes counts as one of the greatest length. */
    private static final int SHORT = 8 * 1024;

    private static final byte[] HOST = Words.fold("host");
    private static final byte[] CONTENT_LENGTH = Words.fold("content-length");
    private static final byte[] TRANSFER_ENCODING = Words.fold("transfer-encoding");

    enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS
    }

    private final HttpLimits limits;
    private final ByteBufAllocator allocator;
    private final Lines lines;

    private State state = State.SIZE;
    private ByteBuf body = Unpooled.EMPTY_BUFFER;
    /** Bytes of the current chunk that are still to come. */
    private int chunkLeft;

    private int extensionBytes;
    private int trailerBytes;
    private int trailers;

    ChunkedBody(HttpLimits limits, ByteBufAllocator allocator, Lines lines) {
        this.limits = limits;
        this.allocator = allocator;
        this.lines = lines;
    }

    State state() {
        return state;
    }

    /** Returns the body, all of which is readable; valid until {@link #reset} or {@link #close}. */
    ByteBuf body() {
        return body;
    }

    /**
     * Returns the bound of its length. Long ones are taken to become as long as any may be, so that room for them is
     * made once, and not again when half of the body is there.
     */
    int limit() {
        int known = Math.max(body.capacity(), body.readableBytes() + chunkLeft);
        return known <= SHORT ? known : Math.max(known, limits.maxBody());
    }

    /** Makes this ready for another body and releases a large buffer. */
    void reset() {
        state = State.SIZE;
        chunkLeft = 0;
        extensionBytes = 0;
        trailerBytes = 0;
        trailers = 0;
        if (body.capacity() > CAPACITY) {
            close();
        } else {
            body.clear();
        }
    }

    @Override
    public void close() {
        body.release();
        body = Unpooled.EMPTY_BUFFER;
    }

    /** Takes what there is of the body out of {@code in}; true if that was the rest of it. */
    boolean parse(ByteBuf in) throws CallException {
        while (true) {
            switch (state) {
                case SIZE -> {
                    int end = lines.end(in, MAX_SIZE_LINE);
                    if (end == Lines.INCOMPLETE) {
                        return false;
                    }
                    if (end == Lines.TOO_LONG) {
                        throw bad("a chunk's first line of more than " + MAX_SIZE_LINE + " bytes");
                    }
                    size(in, in.readerIndex(), end);
                    in.readerIndex(end + 2);
                }
                case DATA -> {
                    int length = Math.min(chunkLeft, in.readableBytes());
                    if (length == 0) {
                        return false;
                    }
                    append(in, length);
                    chunkLeft -= length;
                    if (chunkLeft == 0) {
                        state = State.DATA_END;
                    }
                }
                case DATA_END -> {
                    int end = lines.end(in, 0);
                    if (end == Lines.INCOMPLETE) {
                        return false;
                    }
                    if (end == Lines.TOO_LONG) {
                        throw bad("a chunk longer than its size");
                    }
                    in.readerIndex(end + 2);
                    state = State.SIZE;
                }
                case TRAILERS -> {
                    int start = in.readerIndex();
                    int end = lines.end(in, limits.maxHead() - trailerBytes - 2);
                    if (end == Lines.INCOMPLETE) {
                        return false;
                    }
                    if (end == Lines.TOO_LONG) {
                        throw new CallException(
                                Outcome.HEAD_TOO_LARGE, "trailers of more than " + limits.maxHead() + " bytes");
                    }
                    trailerBytes += end + 2 - start;
                    in.readerIndex(end + 2);
                    if (end == start) {
                        return true;
                    }
                    trailer(in, start);
                }
            }
        }
    }

    private void size(ByteBuf in, int start, int end) throws CallException {
        long size = 0;
        int at = start;
        int digit;
        // The CR behind the line ends the loop if nothing else does.
        for (; (digit = PercentText.hex(in.getByte(at))) >= 0; at++) {
            if (at - start == MAX_SIZE_DIGITS) {
                throw bad("a chunk size of more than " + MAX_SIZE_DIGITS + " digits");
            }
            size = size << 4 | digit;
        }
        if (at == start) {
            throw bad("a chunk without a size");
        }
        if (at < end) {
            extensions(in, at, end);
        }
        if (size > limits.maxBody() - body.readableBytes()) {
            throw new CallException(Outcome.BODY_TOO_LARGE, "a body of more than " + limits.maxBody() + " bytes");
        }
        chunkLeft = (int) size;
        state = size == 0 ? State.TRAILERS : State.DATA;
    }

    private void extensions(ByteBuf in, int start, int end) throws CallException {
        if (!ChunkExtensions.are(in, start, end)) {
            throw bad("a chunk size that is not hexadecimal, or an extension that is not ;name or ;name=value");
        }
        extensionBytes += end - start;
        if (extensionBytes > limits.maxHead()) {
            throw bad("chunk extensions of more than " + limits.maxHead() + " bytes");
        }
    }

    private void append(ByteBuf in, int length) {
        if (body == Unpooled.EMPTY_BUFFER) {
            body = allocator.buffer(Math.max(CAPACITY, length));
        }
        if (body.writableBytes() < length) {
            int doubled = Math.min(2 * body.capacity(), limits.maxBody());
            body.capacity(Math.max(body.writerIndex() + length, doubled));
        }
        body.writeBytes(in, length);
    }

    private void trailer(ByteBuf in, int start) throws CallException {
        if (++trailers > limits.maxHeaders()) {
            throw new CallException(Outcome.HEAD_TOO_LARGE, "more than " + limits.maxHeaders() + " trailers");
        }
        int colon = Tokens.end(in, start);
        if (colon == start || in.getByte(colon) != ':') {
            throw bad("a trailer that is not a name, a colon and a value");
        }
        if (Tokens.is(in, start, colon, HOST)
                || Tokens.is(in, start, colon, CONTENT_LENGTH)
                || Tokens.is(in, start, colon, TRANSFER_ENCODING)) {
            throw bad("a trailer that belongs into the head");
        }
    }

    private static CallException bad(String detail) {
        return new CallException(Outcome.BAD_REQUEST, detail);
    }
}
