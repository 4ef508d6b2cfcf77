package io.dubbomesh.consumer.server;

/**
 * The place of a connection in the {@link ConnectionLimit} of its loop. Owned by the event loop.
 * <pre>
 *   new ---> STRANGER ---> ADMITTED          serving: counts as one of the connections that there may be
 *    |          |             |
 *    |          +----+--------+-----------+
 *    v               v                    v
 *   REFUSED ----> LINGERING ----------> CLOSED
 *    |            counts as lingering     ^  counts as nothing
 *    +------------------------------------+
 *
 *   new        to STRANGER, or to REFUSED if there are too many connections
 *   STRANGER   to ADMITTED with its first request that is admitted
 *              to CLOSED when a newer connection needs its place
 *   any        to LINGERING when its answers are written, unless too many linger
 *              to CLOSED when it is closed
 * </pre>
 */
final class Admission {
    enum State {
        REFUSED,
        STRANGER,
        ADMITTED,
        LINGERING,
        CLOSED
    }

    private final ConnectionLimit limit;
    private final Runnable close;
    private State state;

    /** @param close closes the connection when another one needs its place */
    Admission(ConnectionLimit limit, Runnable close) {
        this.limit = limit;
        this.close = close;
        state = limit.tryServe(this) ? State.STRANGER : State.REFUSED;
    }

    State state() {
        return state;
    }

    /** Admits the client; returns whether it was a stranger until now. */
    boolean admit() {
        if (state != State.STRANGER) {
            return false;
        }
        state = State.ADMITTED;
        limit.admitted(this);
        return true;
    }

    /** Closes a stranger, whose place another connection needs. */
    void evict() {
        connectionClosed();
        close.run();
    }

    /** Counts the connection as lingering, and returns false if too many are. */
    boolean tryLinger() {
        if (state == State.LINGERING || state == State.CLOSED || !limit.tryLinger()) {
            return false;
        }
        stopServing();
        state = State.LINGERING;
        return true;
    }

    /** Called when the connection is closed. */
    void connectionClosed() {
        stopServing();
        if (state == State.LINGERING) {
            limit.stopLingering();
        }
        state = State.CLOSED;
    }

    private void stopServing() {
        if (state == State.STRANGER || state == State.ADMITTED) {
            limit.stopServing(this);
        }
    }
}
