package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.consumer.http.ResponseWriter;
import io.dubbomesh.transport.write.OutboundBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;

/** A connection's exchanges that have no complete response yet. Responses leave in the order of the requests. */
final class ResponseQueue {
    /** Of a batch: some responses of the usual length. */
    private static final int CAPACITY = 512;

    private final HttpLoop loop;
    private final ByteBufAllocator allocator;
    private final OutboundBatch out;
    private HttpExchange first;
    private HttpExchange last;
    private int size;

    ResponseQueue(HttpLoop loop, Channel channel) {
        this.loop = loop;
        allocator = channel.alloc();
        out = new OutboundBatch(channel, loop.turn(), CAPACITY);
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
     * Writes the response of an exchange if its turn has come, together with those that waited for it, and keeps it otherwise. Exchanges
     * whose responses are written are free for reuse.
     */
    void respond(HttpExchange exchange, Response response) {
        if (exchange != first) {
            exchange.early = written(response, exchange);
            return;
        }
        ByteBuf batch = out.buffer();
        int start = batch.writerIndex();
        boolean complete = false;
        try {
            loop.writer().write(batch, response, exchange.framing);
            complete = true;
        } finally {
            if (!complete) {
                batch.writerIndex(start);
            }
        }
        removeFirst();
        while (first != null && first.early != null) {
            out.buffer().writeBytes(first.early);
            removeFirst();
        }
    }

    private ByteBuf written(Response response, HttpExchange exchange) {
        ByteBuf early = allocator.directBuffer(256 + response.length());
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
            HttpExchange exchange = add();
            exchange.early = allocator.directBuffer(32);
            ResponseWriter.writeContinue(exchange.early);
        }
    }

    void flush() {
        out.flush();
    }

    private void removeFirst() {
        HttpExchange exchange = first;
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
            first.cancel();
            removeFirst();
        }
    }
}
