package io.dubbomesh.transport.call;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * Fails the calls whose deadlines have passed. It sleeps until the first of them could have: calls that are answered in
 * time cost no wake-up. Owned by the loop.
 */
public final class DeadlineSweep {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineSweep.class);

    private final EventLoop loop;
    private final PendingCalls<?> pending;
    /** Null while none is to come. */
    private Future<?> next;

    private long nextNs;

    public DeadlineSweep(EventLoop loop, PendingCalls<?> pending) {
        this.loop = loop;
        this.pending = pending;
    }

    /** Called when a call with a deadline was added. */
    public void added(long deadlineNs) {
        if (next == null || deadlineNs - nextNs < -PendingCalls.TICK_NS) {
            sweepAt(PendingCalls.sweepNs(deadlineNs));
        }
    }

    private void sweepAt(long timeNs) {
        if (next != null) {
            next.cancel(false);
        }
        nextNs = timeNs;
        next = loop.schedule(this::sweep, timeNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        next = null;
        try {
            pending.sweep(System.nanoTime());
        } catch (Throwable e) {
            // The other calls' deadlines must not go with this one's.
            LOG.error("a call could not be ended", e);
        }
        if (pending.hasDeadlines()) {
            sweepAt(pending.nextSweepNs());
        }
    }
}
