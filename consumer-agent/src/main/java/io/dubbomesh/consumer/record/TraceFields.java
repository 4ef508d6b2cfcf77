package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.TraceParent;

/**
 * The header fields of distributed tracing that a request has, which its call takes along. Valid as long as the request
 * is.
 */
public interface TraceFields {
    /**
     * Reads {@code traceparent}; false if there is none that is well-formed, and then the rest of {@code into} is
     * undefined.
     */
    boolean readParent(TraceParent into);

    /** Sets the {@code traceparent} that the call takes along instead of the request's, of a trace that is sampled. */
    void setParent(long traceIdHigh, long traceIdLow, long spanId);
}
