package io.dubbomesh.consumer.record;

/** Wants the records of some or all requests of an event loop, which calls it. No method throws. */
public interface CallRecorder {
    /**
     * Whether it wants the record of a request that has come. The record has nothing but the trace that the request is part of, if it is part of
     * one; a recorder that makes spans puts their ids, and those of a trace that begins here, into the record and the header fields.
     *
     * @param fields of the request; null for what is no request that could be parsed
     */
    boolean wants(CallRecord record, TraceFields fields);

    /**
     * The request of a record that it {@link #wants} was answered, or its client has left.
     *
     * @return whether it keeps the record, which is not changed any more then; it may be read by another thread that it is safely handed to
     */
    boolean ended(CallRecord record);
}
