package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.TraceParent;

/** Wants the records of some or all requests of an event loop, which calls it. No method throws. */
public interface CallRecorder {
    /**
     * Returns whether it wants the record of a request that has come; there is none yet, as most requests have none.
     *
     * @param fields of the request; null for what is no request that could be parsed
     * @param parent what they say of the trace that the request is part of; null if it is part of none
     */
    boolean shouldRecord(TraceFields fields, TraceParent parent);

    /**
     * The record that it wants. It has nothing but the trace that the request is part of, if it is part of one; a
     * recorder that makes spans puts their ids, and those of a trace that begins here, into the record and the header
     * fields.
     *
     * @param fields as above
     */
    default void begins(CallRecord record, TraceFields fields) {}

    /**
     * Called when the request of a record that it {@link #shouldRecord} was answered, or its client has left.
     *
     * @return whether it keeps the record, which is not changed any more then; it may be read by another thread that it
     *     is safely handed to
     */
    boolean ended(CallRecord record);
}
