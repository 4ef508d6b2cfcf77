package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.Outcome;

/** The end of a request. Reused with its {@link CallRecord}. */
public final class RecordedAnswer {
    /** The HTTP status, of nginx, of a request whose client left first. */
    public static final int CLIENT_LEFT = 499;

    /** The messages of an answer that is no stream. */
    public static final long NO_STREAM = -1;

    private static final int NOT_ENDED = 0;

    private int status = NOT_ENDED;
    private Outcome outcome;
    private long bodyBytes;
    private long messages = NO_STREAM;
    private long endedNs;

    /** @param bytes of the body; of a stream, of its end */
    public void written(Outcome with, int httpStatus, long bytes, long nowNs) {
        status = httpStatus;
        outcome = with;
        bodyBytes += bytes;
        endedNs = nowNs;
    }

    /**
     * Called at the end of a stream, before its status or the leaving of its client.
     *
     * @param bytes of all messages
     */
    public void streamed(long count, long bytes) {
        messages = count;
        bodyBytes = bytes;
    }

    /** Called when the client has left before the answer. */
    public void abandoned(long nowNs) {
        status = CLIENT_LEFT;
        endedNs = nowNs;
    }

    void clear() {
        status = NOT_ENDED;
        outcome = null;
        bodyBytes = 0;
        messages = NO_STREAM;
    }

    public boolean isEnded() {
        return status != NOT_ENDED;
    }

    /** Returns the HTTP status, or {@link #CLIENT_LEFT}. */
    public int status() {
        return status;
    }

    /** Returns whether the call or the request has failed: the status of a tool's failure is 200. */
    public boolean hasFailed() {
        return status >= 400 || outcome != null && outcome != Outcome.OK;
    }

    /** Returns null if the client left first. */
    public Outcome outcome() {
        return outcome;
    }

    public long bodyBytes() {
        return bodyBytes;
    }

    /** Returns the messages of a stream; {@link #NO_STREAM} if it is none. */
    public long messages() {
        return messages;
    }

    /** Returns when the answer was written, or when the client had left. */
    public long endedNs() {
        return endedNs;
    }
}
