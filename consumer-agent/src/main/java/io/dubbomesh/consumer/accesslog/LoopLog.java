package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecorder;
import io.dubbomesh.consumer.record.Sampling;
import io.dubbomesh.consumer.record.TraceFields;
import io.dubbomesh.protocol.TraceParent;

import java.util.concurrent.atomic.AtomicLong;

/** Chooses what is logged of the requests of one event loop, which owns it, but for its queue. */
final class LoopLog implements CallRecorder {
    private final AccessLogSettings settings;
    private final RecordQueue queue;
    private final Runnable wake;
    private final Sampling sampling;
    /** Written by the event loop alone. */
    private final AtomicLong dropped = new AtomicLong();

    /** @param wake is called when much waits to be written */
    LoopLog(AccessLogSettings settings, Runnable wake) {
        this.settings = settings;
        this.wake = wake;
        sampling = new Sampling(settings.sample());
        queue = new RecordQueue(settings.queueSize());
    }

    @Override
    public boolean shouldRecord(TraceFields fields, TraceParent parent) {
        return sampling.chooses();
    }

    @Override
    public boolean ended(CallRecord record) {
        if (settings.selects() && !isSelected(record)) {
            return false;
        }
        if (!queue.offer(record)) {
            dropped.lazySet(dropped.getPlain() + 1);
            return false;
        }
        if (queue.hasFilledAQuarter()) {
            wake.run();
        }
        return true;
    }

    private boolean isSelected(CallRecord record) {
        return settings.failuresOnly() && record.answer().hasFailed()
                || settings.slowerThanNs() > 0 && record.totalNs() > settings.slowerThanNs();
    }

    RecordQueue queue() {
        return queue;
    }

    /** Records for which the queue had no room; for any thread. */
    long dropped() {
        return dropped.get();
    }
}
