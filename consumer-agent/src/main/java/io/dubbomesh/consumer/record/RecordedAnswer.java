package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.Outcome;

/** The end of a request. Reused with its {@link CallRecord}. */
public final class RecordedAnswer {
    /** The HTTP status, of nginx, of a request whose client left first. */
    public static final int CLIENT_LEFT = 499;

    private static final int NOT_ENDED = 0;

    private int status = NOT_ENDED;
    private Outcome outcome;
    private int bodyBytes;
    private long endedNs;

    /** @param bytes of the body */
    public void written(Outcome with, int httpStatus, int bytes, long nowNs) {
        status = httpStatus;
        outcome = with;
        bodyBytes = bytes;
        endedNs = nowNs;
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

    public int bodyBytes() {
        return bodyBytes;
    }

    /** Returns when the answer was written, or when the client had left. */
    public long endedNs() {
        return endedNs;
    }
}
