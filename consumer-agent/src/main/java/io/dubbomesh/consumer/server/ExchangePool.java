package io.dubbomesh.consumer.server;

import io.dubbomesh.transport.write.Turn;

import java.util.ArrayDeque;

/** The exchanges of one event loop, which are reused from request to request. Owned by the loop. */
final class ExchangePool {
    /** More of them are only in use in an overload. */
    private static final int EXCHANGES_KEPT = 4096;

    private final Turn turn;
    private final RequestHandler handler;
    private final ArrayDeque<ServerExchange> free = new ArrayDeque<>();
    /** The exchanges whose responses were written in this turn. */
    private final ArrayDeque<ServerExchange> written = new ArrayDeque<>();

    private final Runnable recycle = this::recycle;

    ExchangePool(Turn turn, RequestHandler handler) {
        this.turn = turn;
        this.handler = handler;
    }

    ServerExchange take() {
        ServerExchange exchange = free.pollLast();
        return exchange != null ? exchange : new ServerExchange(turn.memory(), handler);
    }

    /** Takes back an exchange whose response was written, at the end of the turn: its responder may still use it. */
    void release(ServerExchange exchange) {
        written.addLast(exchange);
        if (written.size() == 1) {
            turn.ready(recycle);
        }
    }

    private void recycle() {
        try {
            for (ServerExchange next = written.pollFirst(); next != null; next = written.pollFirst()) {
                recycle(next);
            }
        } finally {
            if (!written.isEmpty()) {
                // What could not be recycled is dropped; the others are taken back in the next turn.
                turn.ready(recycle);
            }
        }
    }

    /** Takes back an exchange now. */
    void recycle(ServerExchange exchange) {
        exchange.reset();
        if (free.size() < EXCHANGES_KEPT) {
            free.addLast(exchange);
        }
    }
}
