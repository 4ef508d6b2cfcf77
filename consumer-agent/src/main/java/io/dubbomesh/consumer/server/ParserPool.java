package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.AllowedOrigins;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.netty.buffer.PooledByteBufAllocator;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/** The parsers of one event loop; few connections need one at a time. Owned by the loop. */
final class ParserPool implements AutoCloseable {
    /**
     * More of them are only in use while many clients are slow. 4 KB each; fewer would be garbage in such a time, and
     * old enough to be kept by the heap.
     */
    private static final int PARSERS_KEPT = 1024;

    private final HttpLimits limits;
    private final AllowedOrigins origins;
    private final Supplier<RequestFields> newFields;
    private final ArrayDeque<HttpRequestParser> free = new ArrayDeque<>();

    /** @param origins of the pages that may call from a browser; null for none */
    ParserPool(HttpLimits limits, AllowedOrigins origins, Supplier<RequestFields> newFields) {
        this.limits = limits;
        this.origins = origins;
        this.newFields = newFields;
    }

    /** Lends a parser to a connection that has received a part of a request. */
    HttpRequestParser lend() {
        HttpRequestParser parser = free.pollLast();
        return parser != null
                ? parser
                : new HttpRequestParser(limits, PooledByteBufAllocator.DEFAULT, newFields.get(), origins);
    }

    /** Takes back a parser that is between requests. */
    void release(HttpRequestParser parser) {
        parser.reset();
        if (free.size() < PARSERS_KEPT) {
            free.addLast(parser);
        } else {
            parser.close();
        }
    }

    @Override
    public void close() {
        free.forEach(HttpRequestParser::close);
        free.clear();
    }
}
