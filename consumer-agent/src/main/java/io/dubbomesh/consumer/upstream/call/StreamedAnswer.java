package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.upstream.link.EndpointLink;

/**
 * The answer of a call that comes as a stream, from its beginning to its end. Owned by the event loop.
 *
 * <p>What a blocked client has not taken is owed to the provider's window: so no more than the window comes meanwhile.
 * That does not bound what it becomes: an empty message of protobuf has five bytes, and its JSON all of its fields.
 */
final class StreamedAnswer {
    private final ResponseStream client;
    private EndpointLink link;
    private final long requestId;
    /** The deadline of all of it. */
    private final long lastNs;
    /** Bytes of the window that are given back when the client takes more. */
    private int owed;
    /** Bytes of the window that are given back at the end of the turn. */
    private int taken;
    /** Bytes of JSON that were written since the client takes no more, behind the first message of them. */
    private long unread;
    /** What ends it, unless something else does first. */
    private StreamCounters.End end = StreamCounters.End.FAILURE;
    /** Whether a message has come. */
    private boolean begun;

    StreamedAnswer(ResponseStream client, EndpointLink link, long requestId, long lastNs) {
        this.client = client;
        this.link = link;
        this.requestId = requestId;
        this.lastNs = lastNs;
    }

    /** Called when the call is sent to another endpoint: the first one has given it back, and no message has come. */
    void sentTo(EndpointLink other) {
        link = other;
    }

    ResponseStream client() {
        return client;
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
     * @param bytes       of its JSON
     * @param windowBytes of the provider's window
     */
    void owe(int bytes, int windowBytes) {
        // The first one may be so long that its bytes were given back while it came.
        unread += owed == 0 ? 0 : bytes;
        owed = sum(owed, windowBytes);
    }

    /** Sums what a peer may have sent any numbers of. */
    private static int sum(int some, int more) {
        return (int) Math.min((long) some + more, Integer.MAX_VALUE);
    }

    long unread() {
        return unread;
    }

    /**
     * Called when the client takes all messages so far, the last of which takes so many bytes of the window.
     *
     * @return whether {@link #giveBack} is to be called, and will not be by another reason
     */
    boolean take(int windowBytes) {
        boolean isFirst = taken == 0;
        taken = sum(sum(taken, owed), windowBytes);
        owed = 0;
        unread = 0;
        return isFirst && taken > 0;
    }

    /** Gives the provider the bytes back that were taken. */
    void giveBack() {
        int bytes = taken;
        taken = 0;
        if (bytes > 0) {
            link.consumed(requestId, bytes);
        }
    }

    /** Sets what has ended it. */
    void endedBy(StreamCounters.End by) {
        end = by;
    }

    StreamCounters.End end() {
        return end;
    }

    /** Ends it at the provider. */
    void cancel() {
        taken = 0;
        link.cancelStream(requestId);
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
