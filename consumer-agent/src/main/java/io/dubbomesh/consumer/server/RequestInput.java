package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpRequestParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * What a connection has received and not parsed yet, with the parser of the request that is incomplete. Between requests a connection has
 * neither: the parser is lent by the loop, and all connections of the loop read into one buffer.
 */
final class RequestInput {
    /** Free bytes behind a rest that is copied. */
    private static final int MARGIN = 512;

    private final HttpLoop loop;
    private HttpRequestParser parser;
    private ByteBuf rest;

    RequestInput(HttpLoop loop) {
        this.loop = loop;
    }

    /** Whether no byte of the next request has arrived. */
    boolean isIdle() {
        return rest == null && parser == null;
    }

    boolean hasRest() {
        return rest != null;
    }

    /** Whether bytes have arrived after the request that was parsed last, also while it is being answered. */
    boolean hasMore() {
        return rest != null && rest.isReadable();
    }

    /** Whether what is missing of a request is only (part of) its body. */
    boolean isInBody() {
        return parser != null && parser.inBody();
    }

    /** What has arrived of the body, while {@link #isInBody}. */
    int bodyBytes() {
        return parser.bodyBytes(rest == null ? 0 : rest.readableBytes());
    }

    /** Valid until {@link #settle}. */
    HttpRequestParser parser() {
        return parser;
    }

    /** Takes over what has come. */
    void append(ByteBuf in) {
        if (rest == null) {
            rest = in;
            return;
        }
        try {
            if (rest.writableBytes() < in.readableBytes()) {
                rest.discardReadBytes();
            }
            rest.writeBytes(in);
        } finally {
            in.release();
        }
    }

    /** Goes on with the rest, which must be there. */
    HttpRequestParser.Result parse() {
        if (parser == null) {
            parser = loop.lendParser();
        }
        return parser.parse(rest);
    }

    /** To be called after parsing, before the next read: releases all that need not be kept. */
    void settle(ByteBufAllocator allocator) {
        if (rest != null && !rest.isReadable()) {
            dropRest();
        }
        if (rest == null && parser != null && parser.isBetweenRequests()) {
            loop.giveBack(parser);
            parser = null;
        }
        if (rest != null && rest.refCnt() > 1) {
            ByteBuf shared = rest;
            rest = allocator.directBuffer(shared.readableBytes() + MARGIN).writeBytes(shared);
            shared.release();
        }
    }

    void dropRest() {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    void close() {
        dropRest();
        if (parser != null) {
            parser.close();
            parser = null;
        }
    }
}
