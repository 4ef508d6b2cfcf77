package io.dubbomesh.consumer.server;

/** What a connection waits for when its client has taken all that is written: */
enum ClientPhase {
    /** For this agent: for an answer, or for room for a large request. */
    AGENT,
    /** For the next request. */
    IDLE,
    /** For the rest of a request's head. */
    HEAD,
    /** For the rest of a request's body. */
    BODY,
    /** For the last answers to be written. */
    FLUSHING,
    /** For the client's end of input. */
    LINGERING,
    CLOSED;

    /** Returns whether another request may come. */
    boolean takesRequests() {
        return this == IDLE || this == HEAD || this == BODY;
    }
}
