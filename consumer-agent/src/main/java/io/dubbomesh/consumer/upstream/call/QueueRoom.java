package io.dubbomesh.consumer.upstream.call;

/**
 * The bound of the calls that wait on one event loop, in number and in the bytes of their requests. Calls of
 * {@linkplain io.dubbomesh.consumer.call.Route#isUnproven unproven} methods, which clients may invent, get half of
 * both, or one call. Owned by the loop.
 */
final class QueueRoom {
    private final QueueSettings settings;
    private int calls;
    private long bytes;
    /** The part of them that calls of unproven methods have. */
    private int unprovenCalls;

    private long unprovenBytes;

    QueueRoom(QueueSettings settings) {
        this.settings = settings;
    }

    /** Returns the number of calls that wait. */
    int calls() {
        return calls;
    }

    /** Returns whether another call may wait. */
    boolean isLeft(int requestBytes) {
        return calls < settings.maxCalls() && bytes + requestBytes <= settings.maxBytes();
    }

    /** Returns whether another call of an unproven method may wait, as far as room {@link #isLeft}. */
    boolean isLeftForUnproven(int requestBytes) {
        return unprovenCalls == 0
                || unprovenCalls < settings.maxCalls() / 2 && unprovenBytes + requestBytes <= settings.maxBytes() / 2;
    }

    /** @param unproven whether it waits with those of unproven methods */
    void add(boolean unproven, int requestBytes) {
        calls++;
        bytes += requestBytes;
        if (unproven) {
            unprovenCalls++;
            unprovenBytes += requestBytes;
        }
    }

    /** Takes back what {@link #add} has counted. */
    void remove(boolean unproven, int requestBytes) {
        calls--;
        bytes -= requestBytes;
        if (unproven) {
            unprovenCalls--;
            unprovenBytes -= requestBytes;
        }
    }
}
