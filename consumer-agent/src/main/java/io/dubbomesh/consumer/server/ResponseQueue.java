package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.consumer.http.ResponseWriter;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;

/**
 * A connection's exchanges that have no complete response yet. Responses leave in the order of the requests. What waits
 * here, and what the client does not read, counts in the loop's budget; a large response for which there is no room is
 * replaced by a short one.
 */
final class ResponseQueue {
    /** Of a batch: some responses of the usual length. */
    private static final int CAPACITY = 512;
    /** About what the head of a response takes. */
    private static final int HEAD = 256;
    /** Once more bytes wait for an earlier response, no further requests are taken. */
    private static final int MAX_EARLY = 64 * 1024;

    private final HttpLoop loop;
    private final MemoryBudget memory;
    private final ByteBufAllocator allocator;
    private final OutboundBatch out;
    private final ClientShare share;
    /** What counts for the share. */
    private long shared;

    private HttpExchange first;
    private HttpExchange last;
    private int size;
    /** Bytes of responses that wait for an earlier one. */
    private int early;

    ResponseQueue(HttpLoop loop, Channel channel, ClientShare share) {
        this.loop = loop;
        this.share = share;
        memory = loop.memory();
        allocator = channel.alloc();
        out = new OutboundBatch(channel, loop.turn(), Use.ANSWERS, CAPACITY);
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    boolean isLast(HttpExchange exchange) {
        return exchange == last;
    }

    /** Another exchange, at the end. */
    HttpExchange add() {
        HttpExchange exchange = loop.newExchange();
        if (first == null) {
            first = exchange;
        } else {
            last.next = exchange;
        }
        last = exchange;
        size++;
        return exchange;
    }

    /**
     * Writes the response of an exchange if its turn has come, together with those that waited for it, and keeps it
     * otherwise. Exchanges whose responses are written are free for reuse.
     */
    void respond(HttpExchange exchange, Response response) {
        boolean large = response.length() > MemoryBudget.LARGE;
        if (large && !memory.hasRoom(Use.ANSWERS, response.length())) {
            large = false;
            response.problem(
                    Outcome.PROVIDER_ERROR,
                    "the method was executed, but there is no room for its answer of " + response.length() + " bytes");
        }
        exchange.answered(response);
        if (exchange != first) {
            keep(exchange, written(response, exchange));
            return;
        }
        ByteBuf batch = out.buffer();
        int start = batch.writerIndex();
        boolean complete = false;
        try {
            loop.writer().writeHead(batch, response, exchange.framing);
            complete = true;
        } finally {
            if (!complete) {
                batch.writerIndex(start);
            }
        }
        if (!exchange.framing.isHeadOnly()) {
            out.append(response.in(), response.offset(), response.length());
        }
        removeFirst();
        while (first != null && first.early != null) {
            out.append(first.early, 0, first.early.writerIndex());
            removeFirst();
        }
        if (large) {
            // So that the next one is told how much of it the client has not read.
            out.flush();
            countShare();
        }
    }

    /** What has changed otherwise is found by the look that is taken now and then. */
    private void countShare() {
        long bytes = early + out.unwrittenBytes();
        if (bytes != shared) {
            share.add(bytes - shared);
            shared = bytes;
        }
    }

    private void keep(HttpExchange exchange, ByteBuf response) {
        exchange.early = response;
        early += response.capacity();
        memory.add(Use.ANSWERS, response.capacity());
    }

    private ByteBuf written(Response response, HttpExchange exchange) {
        ByteBuf early = allocator.directBuffer(HEAD + response.length());
        boolean complete = false;
        try {
            loop.writer().write(early, response, exchange.framing);
            complete = true;
            return early;
        } finally {
            if (!complete) {
                early.release();
            }
        }
    }

    /** Asks for the body of a request, when its turn has come. */
    void respondContinue() {
        if (first == null) {
            ResponseWriter.writeContinue(out.buffer());
        } else {
            ByteBuf interim = allocator.directBuffer(32);
            ResponseWriter.writeContinue(interim);
            keep(add(), interim);
        }
    }

    void flush() {
        out.flush();
    }

    /** Counts anew what the client has not read; to be called now and then, and when the channel is closed. */
    void countUnread() {
        out.countUnwritten();
        countShare();
    }

    /**
     * Whether requests may be taken that have further responses: not of who lets them lie, while there is little room.
     */
    boolean mayGrow() {
        return early <= MAX_EARLY && !(memory.isShort() && (early > 0 || out.hasUnwritten()));
    }

    private void removeFirst() {
        HttpExchange exchange = first;
        if (exchange.early != null) {
            early -= exchange.early.capacity();
            memory.release(Use.ANSWERS, exchange.early.capacity());
        }
        first = exchange.next;
        size--;
        loop.free(exchange);
    }

    /** The client has left: the exchanges end without a response. */
    void cancel() {
        ByteBuf unsent = out.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
        while (first != null) {
            if (first.early == null) {
                loop.abandoned();
            }
            first.cancel();
            removeFirst();
        }
        countUnread();
    }
}
