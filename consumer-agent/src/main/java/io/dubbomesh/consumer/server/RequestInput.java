package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.memory.StrangerMemory.Stranger;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The input of a connection that is not parsed yet, with the parser of the request that is incomplete. Between requests
 * a connection has neither: the parser is lent by the loop, and all connections of the loop read into one buffer.
 *
 * <p>What is kept from one read to the next counts in the loop's budget. A large request counts with its whole length
 * before more of it is read, so that each one that has begun can be finished; until there is room it waits, and is not
 * read. Heads of strangers count in their part of the budget.
 */
final class RequestInput {
    /** Free bytes behind a rest that is copied. */
    private static final int MARGIN = 512;
    /** About what a parser that is lent and its connection take of the heap. */
    private static final int PARSER_BYTES = 5 * 1024;

    /** Whether what is kept has room in the budget. */
    enum Room {
        ENOUGH,
        /**
         * The bytes that have arrived are reserved, the rest of the request is not: nothing more is read before {@link
         * #tryReserve}.
         */
        AWAITED,
        /** Not even for what has arrived: the request is to be refused. */
        NONE
    }

    private final ParserPool parsers;
    private final MemoryBudget memory;
    private HttpRequestParser parser;
    private ByteBuf rest;
    /** Whether the parser that was given back had skipped an empty line in front of the next request. */
    private boolean afterEmptyLine;
    /** The bytes that the budget counts for this connection, and their use. */
    private int held;

    private Use heldFor = Use.REQUESTS;
    private ClientShare share;
    /** The client, as long as no request of it was admitted; null then. */
    private Stranger stranger;
    /** Whether something is counted for the stranger. */
    private boolean countsForStranger;

    /** @param client as a stranger, which it is until {@link #admitted} */
    RequestInput(ParserPool parsers, MemoryBudget memory, Stranger client) {
        this.parsers = parsers;
        this.memory = memory;
        stranger = client;
    }

    /** Counts the bytes for this client; called before anything arrives. */
    void setShare(ClientShare client) {
        share = client;
    }

    /** Returns whether no byte of the next request has arrived. */
    boolean isIdle() {
        return rest == null && parser == null;
    }

    boolean hasRest() {
        return rest != null;
    }

    /** Returns whether bytes have arrived after the request that was parsed last, also while it is being answered. */
    boolean hasMore() {
        return rest != null && rest.isReadable();
    }

    /** Returns whether what is missing of a request is only (part of) its body. */
    boolean isInBody() {
        return parser != null && parser.inBody();
    }

    /** Returns the number of bytes of the body that have arrived, while {@link #isInBody}. */
    int bodyBytes() {
        return parser.bodyBytes(rest == null ? 0 : rest.readableBytes());
    }

    /** Returns the parser, which is valid until {@link #settle}. */
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
            ensureWritable(in.readableBytes());
            rest.writeBytes(in);
        } finally {
            in.release();
        }
    }

    /** Doubles the buffer, but not beyond what is left of the body. */
    private void ensureWritable(int bytes) {
        if (rest.writableBytes() >= bytes) {
            return;
        }
        rest.discardReadBytes();
        if (rest.writableBytes() < bytes) {
            int doubled = 2 * rest.capacity();
            int enough = isInBody() ? Math.min(doubled, parser.bodyLimit()) : doubled;
            rest.capacity(Math.max(rest.writerIndex() + bytes, enough));
        }
    }

    /** Goes on with the rest, which must be there. */
    HttpRequestParser.Result parse() {
        if (parser == null) {
            parser = parsers.lend();
            if (afterEmptyLine) {
                parser.startAfterEmptyLine();
            }
        }
        return parser.parse(rest);
    }

    /** Called after parsing, before the next read: releases all that need not be kept, and counts what must be. */
    Room settle(ByteBufAllocator allocator) {
        if (rest != null && !rest.isReadable()) {
            releaseRest();
        }
        if (rest == null && parser != null && parser.isBetweenRequests()) {
            afterEmptyLine = parser.isAfterEmptyLine();
            parsers.release(parser);
            parser = null;
        }
        if (isIdle()) {
            releaseHeld();
            return Room.ENOUGH;
        }
        Room room = reserve();
        if (room != Room.NONE && rest != null && rest.refCnt() > 1) {
            ByteBuf shared = rest;
            rest = allocator.directBuffer(shared.readableBytes() + MARGIN).writeBytes(shared);
            shared.release();
        }
        return room;
    }

    /** Returns whether no request of the client was admitted yet. */
    boolean isOfStranger() {
        return stranger != null;
    }

    /** Called when the head of a request was admitted: the client is no stranger any more. */
    void admitted() {
        releaseStrangerBytes();
        stranger = null;
    }

    private Room reserve() {
        if (stranger != null) {
            memory.strangers().keep(stranger, arrived());
            countsForStranger = true;
            return Room.ENOUGH;
        }
        int needed = requiredBytes();
        Use use = needed > MemoryBudget.LARGE && isInBody() ? Use.LARGE_REQUESTS : Use.REQUESTS;
        if (use == heldFor && needed <= held || tryHold(use, needed)) {
            return Room.ENOUGH;
        }
        return isInBody() && tryHold(Use.WAITING_REQUESTS, arrived()) ? Room.AWAITED : Room.NONE;
    }

    /** Returns whether there is room for the rest of a request, whose body comes next; takes it. */
    boolean tryReserve() {
        return reserve() == Room.ENOUGH;
    }

    /** Returns the bytes that are kept until the request is complete. */
    private int requiredBytes() {
        return Math.max(arrived(), isInBody() ? PARSER_BYTES + MARGIN + parser.bodyLimit() : 0);
    }

    private int arrived() {
        if (rest == null) {
            return PARSER_BYTES;
        }
        return PARSER_BYTES + (rest.refCnt() > 1 ? rest.readableBytes() + MARGIN : rest.capacity());
    }

    private boolean tryHold(Use use, int bytes) {
        int before = held;
        account(heldFor, 0);
        boolean fits = memory.hasRoom(use, bytes) && (use != Use.LARGE_REQUESTS || share.mayTake(use, bytes));
        account(fits ? use : heldFor, fits ? bytes : before);
        return fits;
    }

    private void account(Use use, int bytes) {
        memory.release(heldFor, held);
        memory.add(use, bytes);
        share.add(bytes - held);
        held = bytes;
        heldFor = use;
    }

    /** Returns whether the rest of the request would make the client hold more than its share. */
    boolean isOverShare() {
        return !share.mayTake(Use.LARGE_REQUESTS, requiredBytes() - held);
    }

    private void releaseHeld() {
        releaseStrangerBytes();
        if (held > 0) {
            account(heldFor, 0);
        }
    }

    private void releaseStrangerBytes() {
        if (countsForStranger) {
            countsForStranger = false;
            memory.strangers().keep(stranger, 0);
        }
    }

    private void releaseRest() {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    /** Drops all that has arrived: no more requests are taken. */
    void drop() {
        releaseRest();
        if (parser != null) {
            parsers.release(parser);
            parser = null;
        }
        releaseHeld();
    }

    /** Drops all that has arrived, without the pool of parsers, which may be closed. */
    void close() {
        releaseRest();
        if (parser != null) {
            parser.close();
            parser = null;
        }
        releaseHeld();
    }
}
