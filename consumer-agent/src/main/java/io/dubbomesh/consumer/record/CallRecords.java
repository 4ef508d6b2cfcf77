package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.TraceParent;

import java.util.ArrayDeque;
import java.util.List;

/**
 * The records of one event loop's requests: made where a recorder wants one, and reused unless it keeps it. Owned
 * by the loop.
 */
public final class CallRecords {
    /** More of them are only in use in an overload. */
    private static final int RECORDS_KEPT = 1024;

    private final CallRecorder[] recorders;
    private final ArrayDeque<CallRecord> free = new ArrayDeque<>();
    private final TraceParent parent = new TraceParent();

    /** @param recorders at most 32 */
    public CallRecords(List<CallRecorder> recorders) {
        this.recorders = recorders.toArray(CallRecorder[]::new);
    }

    /** Returns whether requests are recorded, or some of them, without asking for it. */
    public boolean isRecording() {
        return recorders.length > 0;
    }

    /**
     * Returns a record for a request that has come; null if no recorder wants one.
     *
     * @param fields of the request; null for what is no request that could be parsed
     * @param told   whether the client asks for the times
     */
    public CallRecord begin(TraceFields fields, boolean told) {
        TraceParent of = fields != null && fields.readParent(parent) ? parent : null;
        int recorderBits = 0;
        for (int i = 0; i < recorders.length; i++) {
            if (recorders[i].shouldRecord(fields, of)) {
                recorderBits |= 1 << i;
            }
        }
        return recorderBits == 0 && !told ? null : begin(fields, of, recorderBits, told);
    }

    private CallRecord begin(TraceFields fields, TraceParent of, int recorderBits, boolean told) {
        CallRecord record = free.pollLast();
        if (record == null) {
            record = new CallRecord();
        }
        if (of != null) {
            record.trace().join(of.traceIdHigh(), of.traceIdLow(), of.isSampled());
            record.trace().parentSpan(of.spanId());
        }
        record.begin(recorderBits, told);
        for (int i = 0; i < recorders.length; i++) {
            if ((recorderBits & 1 << i) != 0) {
                recorders[i].begins(record, fields);
            }
        }
        return record;
    }

    /** Ends a record: its request was answered, or its client has left. */
    public void end(CallRecord record) {
        boolean kept = false;
        for (int i = 0; i < recorders.length; i++) {
            if ((record.recorderBits() & 1 << i) != 0) {
                kept |= recorders[i].ended(record);
            }
        }
        if (!kept) {
            free(record);
        }
    }

    private void free(CallRecord record) {
        record.clear();
        if (free.size() < RECORDS_KEPT) {
            free.addLast(record);
        }
    }
}
