package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseWriter;
import io.dubbomesh.consumer.http.response.StreamWriter;
import io.dubbomesh.protocol.Outcome;
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
    /** The capacity of the buffer of early bytes before the piece that is being written. */
    private int earlyBefore;
    /** Bytes that count for the share. */
    private long shared;

    private ServerExchange first;
    private ServerExchange last;
    private int size;
    /** Bytes of responses that wait for an earlier one. */
    private int early;
    /** The responses in pieces that have not ended. */
    private int streams;

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

    /** Loads this and, from level 1 on, what it writes to; returns a number of no meaning. */
    int touch(int level) {
        return level == 0 ? size : out.touch(level - 1);
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
        if (exchange.stream() != null) {
            endStream(exchange, response);
            return;
        }
        respondWhole(exchange, response);
    }

    private void respondWhole(ServerExchange exchange, Response response) {
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
        writeEarly();
        if (response.length() > MemoryBudget.LARGE) {
            // So that what the client has not read of it counts before its next request is taken.
            out.flush();
            countShare();
        }
    }

    /** Writes what has waited for the response that was written last. */
    private void writeEarly() {
        while (first != null && first.early != null) {
            out.append(first.early, 0, first.early.writerIndex());
            releaseEarly(first);
            if (first.stream() != null && first.stream().isStarted()) {
                return;
            }
            exchanges.release(removeFirst());
        }
    }

    // --- responses in pieces ---

    /** Called when the response of an exchange is going to come in pieces. */
    void opened() {
        streams++;
    }

    /** Returns whether a response in pieces has not ended. */
    boolean isStreaming() {
        return streams > 0;
    }

    /** Writes a message, if its turn has come, and keeps it otherwise; returns whether more may come now. */
    boolean write(ServerExchange exchange, ByteBuf in, int offset, int length) {
        StreamedResponse stream = exchange.stream();
        boolean chunked = !exchange.framing.isHttp10();
        if (exchange == first && length > MemoryBudget.LARGE && !StreamWriter.hasLineBreak(in, offset, length)) {
            start(out.buffer(), exchange);
            StreamWriter.begin(out.buffer(), stream.format(), chunked, length, false);
            out.append(in, offset, length);
            StreamWriter.end(out.buffer(), stream.format(), chunked, false);
            out.flush();
            countShare();
        } else {
            ByteBuf to = beginPiece(exchange, length);
            start(to, exchange);
            StreamWriter.writeMessage(to, stream.format(), chunked, in, offset, length);
            countEarly(exchange);
        }
        stream.wrote();
        return mayWrite(exchange);
    }

    /** Returns the buffer for a piece: that of the connection, or that of what waits for an earlier response. */
    private ByteBuf beginPiece(ServerExchange exchange, int length) {
        if (exchange == first) {
            return out.buffer();
        }
        if (exchange.early == null) {
            exchange.early = allocator.directBuffer(HEAD + length);
            count(exchange.early.capacity());
        }
        earlyBefore = exchange.early.capacity();
        return exchange.early;
    }

    /** Counts by how much the buffer of the last piece has grown. */
    private void countEarly(ServerExchange exchange) {
        if (exchange != first) {
            count(exchange.early.capacity() - earlyBefore);
        }
    }

    private void start(ByteBuf to, ServerExchange exchange) {
        if (!exchange.stream().isStarted()) {
            writer.writeStreamHead(to, exchange.stream().format(), exchange.framing);
            exchange.stream().start();
        }
    }

    private boolean mayWrite(ServerExchange exchange) {
        return exchange == first && out.isWritable() && !(memory.isShortForStreams() && out.hasUnwritten());
    }

    /** Has the response in pieces go on whose turn it is, if its client takes more. */
    void resume() {
        StreamedResponse stream = first == null ? null : first.stream();
        if (stream != null && stream.isBlocked() && mayWrite(first)) {
            stream.resume();
        }
    }

    /** Writes what keeps the connection open, if nothing was written for so long; to be called now and then. */
    void keepOpen(long quietNs, long nowNs) {
        StreamedResponse stream = first == null ? null : first.stream();
        if (stream != null && stream.format().hasHeartbeat() && stream.isQuietFor(quietNs, nowNs) && out.isWritable()) {
            start(out.buffer(), first);
            StreamWriter.writeHeartbeat(out.buffer(), stream.format(), !first.framing.isHttp10());
            stream.wrote();
        }
    }

    /** Ends the responses in pieces, as the agent ends. */
    void interrupt(Response response) {
        ServerExchange next;
        for (ServerExchange exchange = first; exchange != null; exchange = next) {
            next = exchange.next;
            if (exchange.isStreaming()) {
                exchange.interrupt(response.problem(Outcome.NO_PROVIDER, "the agent is going away"));
            }
        }
    }

    private void endStream(ServerExchange exchange, Response response) {
        StreamedResponse stream = exchange.stream();
        streams--;
        boolean isOrdinary = !stream.isStarted() && response.outcome() != Outcome.OK;
        if (isOrdinary) {
            stream.end();
            respondWhole(exchange, response);
            return;
        }
        if (exchange.framing.isHttp10()) {
            // The end of the connection is that of the response.
            removeBehind(exchange);
        }
        ByteBuf to = beginPiece(exchange, response.length());
        start(to, exchange);
        StreamWriter.writeEnd(to, stream.format(), !exchange.framing.isHttp10(), response);
        countEarly(exchange);
        finish(exchange);
    }

    /** Ends a response in pieces without an end of the stream. */
    private void cutOff(ServerExchange exchange) {
        ByteBuf to = beginPiece(exchange, 0);
        StreamWriter.writeLastChunk(to, !exchange.framing.isHttp10());
        countEarly(exchange);
        finish(exchange);
    }

    private void finish(ServerExchange exchange) {
        exchange.stream().end();
        if (exchange == first) {
            exchanges.release(removeFirst());
            writeEarly();
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
        count(response.capacity());
    }

    private void count(int earlyBytes) {
        early += earlyBytes;
        memory.add(Use.ANSWERS, earlyBytes);
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
        count(-exchange.early.capacity());
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
                boolean isStarted = exchange.isStreaming() && exchange.stream().isStarted();
                streams -= exchange.isStreaming() ? 1 : 0;
                exchange.cancel();
                cancelled++;
                if (isAwaitedBehind && isStarted) {
                    cutOff(exchange);
                } else if (isAwaitedBehind) {
                    respondWhole(exchange, response.accepted());
                }
            }
        }
        removeBehind(lastAwaited);
        return cancelled;
    }

    /**
     * Removes the exchanges that get no response.
     *
     * @param lastAwaited may have left the queue; null for the whole queue
     */
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
            if (removed.early != null) {
                releaseEarly(removed);
            }
            removed.cancel();
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
        streams = 0;
        while (first != null) {
            unanswered += first.early == null || first.isStreaming() ? 1 : 0;
            if (first.early != null) {
                releaseEarly(first);
            }
            first.cancel();
            exchanges.recycle(removeFirst());
        }
        countUnread();
        return unanswered;
    }
}
