package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.http.response.ResponseStream;

/**
 * The answer of a call that comes as a stream, from its beginning to its end. Owned by the event loop.
 *
 * <p>What a blocked client has not taken is owed to the provider's window: so no more than the window comes meanwhile.
 * That does not bound what it becomes: an empty message of protobuf has five bytes, and its JSON all of its fields.
 */
final class StreamedAnswer {
    private final ResponseStream client;
    private final long requestId;
    /** The deadline of all of it. */
    private final long lastNs;
    /** Bytes of the window that are given back when the client takes more. */
    private int owed;
    /** Bytes of JSON that were written since the client takes no more. */
    private long unread;
    /** Whether a message has come. */
    private boolean begun;

    StreamedAnswer(ResponseStream client, long requestId, long lastNs) {
        this.client = client;
        this.requestId = requestId;
        this.lastNs = lastNs;
    }

    ResponseStream client() {
        return client;
    }

    /** Returns the id of the request, also when the call is not pending any more. */
    long requestId() {
        return requestId;
    }

    /** Called with each message; returns whether it is the first one. */
    boolean begin() {
        boolean isFirst = !begun;
        begun = true;
        return isFirst;
    }

    boolean hasBegun() {
        return begun;
    }

    /**
     * Counts a message that the client does not take now.
     *
     * @param bytes        of its JSON
     * @param windowBytes of the provider's window
     */
    void owe(int bytes, int windowBytes) {
        unread += bytes;
        owed += windowBytes;
    }

    long unread() {
        return unread;
    }

    int takeOwed() {
        int bytes = owed;
        owed = 0;
        unread = 0;
        return bytes;
    }

    /** Returns the deadline of the next message. A client that blocks has its own time. */
    long deadlineNs(long idleNs, long nowNs) {
        return client.isBlocked() || lastNs - nowNs < idleNs ? lastNs : nowNs + idleNs;
    }

    /** Returns whether the whole stream was to end at this time. */
    boolean isLast(long deadlineNs) {
        return deadlineNs == lastNs;
    }
}
