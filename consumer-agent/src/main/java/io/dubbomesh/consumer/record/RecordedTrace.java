package io.dubbomesh.consumer.record;

/** The trace of a request, and the spans of it that this agent makes. Reused with its {@link CallRecord}. */
public final class RecordedTrace {
    private long idHigh;
    private long idLow;
    private boolean sampled;
    private long parentSpanId;
    private long serverSpanId;
    private long clientSpanId;

    /** Makes the request part of this trace. */
    public void join(long high, long low, boolean isSampled) {
        idHigh = high;
        idLow = low;
        sampled = isSampled;
    }

    /** Sets the span in which the client made the request. */
    void parentSpan(long id) {
        parentSpanId = id;
    }

    /** Sets the spans of this agent: for the HTTP request, and for the call to a provider agent. */
    public void spans(long serverId, long clientId) {
        serverSpanId = serverId;
        clientSpanId = clientId;
    }

    void clear() {
        join(0, 0, false);
        spans(0, 0);
        parentSpanId = 0;
    }

    /** Returns whether the request is part of a trace, of which this agent need not record anything. */
    public boolean isPresent() {
        return (idHigh | idLow) != 0;
    }

    /** Returns whether the spans of the trace are recorded. */
    public boolean isSampled() {
        return sampled;
    }

    public long idHigh() {
        return idHigh;
    }

    public long idLow() {
        return idLow;
    }

    /** Returns the span in which the client made the request; 0 if the trace begins here. */
    public long parentSpanId() {
        return parentSpanId;
    }

    /** Returns the span of the HTTP request; 0 if this agent makes no spans of it. */
    public long serverSpanId() {
        return serverSpanId;
    }

    public long clientSpanId() {
        return clientSpanId;
    }
}
