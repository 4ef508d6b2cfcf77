package io.dubbomesh.consumer.server;

/** The event that a connection waits for when its client has taken all that is written: */
enum ClientPhase {
    /** This agent: an answer, or room for a large request. */
    AGENT,
    /** The next request. */
    IDLE,
    /** The rest of a request's head. */
    HEAD,
    /** The rest of a request's body. */
    BODY,
    /** The writing of the last answers. */
    FLUSHING,
    /** The client's end of input. */
    LINGERING,
    CLOSED;

    /** Returns whether another request may come. */
    boolean takesRequests() {
        return this == IDLE || this == HEAD || this == BODY;
    }
}
