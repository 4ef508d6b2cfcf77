package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseWriter;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;

/**
 * A connection's exchanges that have no complete response yet. Responses leave in the order of the requests. What waits
 * here, and what the client does not read, counts in the loop's budget. Owned by the event loop.
 */
final class ResponseQueue {
    /** The capacity of a batch: some responses of the usual length. */
    private static final int CAPACITY = 512;
    /** About what the head of a response takes. */
    private static final int HEAD = 256;
    /** Once more bytes wait for an earlier response, no further requests are taken. */
    private static final int MAX_EARLY = 64 * 1024;

    private final ExchangePool exchanges;
    private final ResponseWriter writer;
    private final MemoryBudget memory;
    private final ByteBufAllocator allocator;
    private final OutboundBatch out;
    private final ClientShare share;
    /** Bytes that count for the share. */
    private long shared;

    private ServerExchange first;
    private ServerExchange last;
    private int size;
    /** Bytes of responses that wait for an earlier one. */
    private int early;

    ResponseQueue(ExchangePool exchanges, ResponseWriter writer, Turn turn, Channel channel, ClientShare share) {
        this.exchanges = exchanges;
        this.writer = writer;
        this.share = share;
        memory = turn.memory();
        allocator = channel.alloc();
        out = new OutboundBatch(channel, turn, Use.ANSWERS, CAPACITY);
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    boolean isLast(ServerExchange exchange) {
        return exchange == last;
    }

    /** Adds another exchange at the end. */
    ServerExchange add() {
        ServerExchange exchange = exchanges.take();
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
     * otherwise. Exchanges whose responses are written are free for reuse after the turn.
     */
    void respond(ServerExchange exchange, Response response) {
        if (exchange != first) {
            keep(exchange, written(response, exchange));
            return;
        }
        ByteBuf batch = out.buffer();
        int start = batch.writerIndex();
        boolean complete = false;
        try {
            writer.writeHead(batch, response, exchange.framing);
            complete = true;
        } finally {
            if (!complete) {
                batch.writerIndex(start);
            }
        }
        if (!exchange.framing.isHeadOnly()) {
            out.append(response.in(), response.offset(), response.length());
        }
        exchanges.release(removeFirst());
        while (first != null && first.early != null) {
            out.append(first.early, 0, first.early.writerIndex());
            releaseEarly(first);
            exchanges.release(removeFirst());
        }
        if (response.length() > MemoryBudget.LARGE) {
            // So that what the client has not read of it counts before its next request is taken.
            out.flush();
            countShare();
        }
    }

    /** Updates the share; what changes otherwise is found by {@link #countUnread}. */
    private void countShare() {
        long bytes = early + out.unwrittenBytes();
        if (bytes != shared) {
            share.add(bytes - shared);
            shared = bytes;
        }
    }

    private void keep(ServerExchange exchange, ByteBuf response) {
        exchange.early = response;
        early += response.capacity();
        memory.add(Use.ANSWERS, response.capacity());
    }

    private ByteBuf written(Response response, ServerExchange exchange) {
        ByteBuf early = allocator.directBuffer(HEAD + response.length());
        boolean complete = false;
        try {
            writer.write(early, response, exchange.framing);
            complete = true;
            return early;
        } finally {
            if (!complete) {
                early.release();
            }
        }
    }

    /** Asks the client for the body of a request, when the turn of its answer has come. */
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

    /** Counts what the client has not read; to be called now and then, and when the channel is closed. */
    void countUnread() {
        out.countUnwritten();
        countShare();
    }

    /** Returns whether another request may be taken: not of a client that reads no responses while room is scarce. */
    boolean mayGrow() {
        return early <= MAX_EARLY && !(memory.isShort() && (early > 0 || out.hasUnwritten()));
    }

    private void releaseEarly(ServerExchange exchange) {
        early -= exchange.early.capacity();
        memory.release(Use.ANSWERS, exchange.early.capacity());
        exchange.early.release();
        exchange.early = null;
    }

    private ServerExchange removeFirst() {
        ServerExchange exchange = first;
        first = exchange.next;
        size--;
        return exchange;
    }

    /**
     * Ends the exchanges for whose responses the client does not wait any more, now that its output has ended. They get
     * none, unless others behind them do.
     *
     * @param response is set to what those get
     * @return how many were ended
     */
    int cancelWithInput(Response response) {
        ServerExchange lastAwaited = null;
        for (ServerExchange exchange = first; exchange != null; exchange = exchange.next) {
            if (!exchange.endsWithInput()) {
                lastAwaited = exchange;
            }
        }
        int cancelled = 0;
        boolean isAwaitedBehind = lastAwaited != null;
        ServerExchange next;
        for (ServerExchange exchange = first; exchange != null; exchange = next) {
            next = exchange.next;
            isAwaitedBehind &= exchange != lastAwaited;
            if (exchange.endsWithInput()) {
                exchange.cancel();
                cancelled++;
                if (isAwaitedBehind) {
                    respond(exchange, response.accepted());
                }
            }
        }
        removeBehind(lastAwaited);
        return cancelled;
    }

    /** @param lastAwaited may have left the queue; null for the whole queue */
    private void removeBehind(ServerExchange lastAwaited) {
        ServerExchange removed = lastAwaited == null ? first : lastAwaited.next;
        if (removed == first) {
            first = null;
        } else {
            lastAwaited.next = null;
        }
        last = lastAwaited;
        while (removed != null) {
            ServerExchange next = removed.next;
            size--;
            exchanges.recycle(removed);
            removed = next;
        }
    }

    /**
     * Ends the exchanges without a response, as the client has left.
     *
     * @return how many had none
     */
    int cancel() {
        int unanswered = 0;
        ByteBuf unsent = out.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
        while (first != null) {
            if (first.early == null) {
                unanswered++;
            } else {
                releaseEarly(first);
            }
            first.cancel();
            exchanges.recycle(removeFirst());
        }
        countUnread();
        return unanswered;
    }
}
