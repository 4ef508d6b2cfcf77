package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.consumer.record.CallRecord;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** Records on their way from one event loop to the thread that writes the log: bounded, without locks, in order. */
final class RecordQueue {
    private final AtomicReferenceArray<CallRecord> slots;
    private final int mask;
    /** The slot that is filled next; of the event loop. */
    private int tail;
    /** The slot that is emptied next; of the thread. */
    private int head;

    /** @param capacity rounded up to a power of two */
    RecordQueue(int capacity) {
        int size = Integer.highestOneBit(Math.max(2, capacity) - 1) << 1;
        slots = new AtomicReferenceArray<>(size);
        mask = size - 1;
    }

    /** Called by the event loop; false if the queue is full. */
    boolean offer(CallRecord record) {
        int slot = tail & mask;
        if (slots.getPlain(slot) != null && slots.getAcquire(slot) != null) {
            return false;
        }
        // From here on the thread may read the record: all that was written to it before is seen there.
        slots.setRelease(slot, record);
        tail++;
        return true;
    }

    /** Called by the event loop: whether another quarter of the queue was filled by the last record. */
    boolean hasFilledAQuarter() {
        return (tail & mask >> 2) == 0;
    }

    /** Called by the thread; null if there is none. */
    CallRecord poll() {
        int slot = head & mask;
        CallRecord record = slots.getAcquire(slot);
        if (record != null) {
            slots.setRelease(slot, null);
            head++;
        }
        return record;
    }
}
