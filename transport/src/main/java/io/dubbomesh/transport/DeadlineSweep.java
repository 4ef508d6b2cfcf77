package io.dubbomesh.transport;

import io.netty.channel.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/** Fails the calls whose deadlines have passed, every {@link PendingCalls#TICK_NS} as long as any has one. Owned by the loop. */
public final class DeadlineSweep {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineSweep.class);

    private final EventLoop loop;
    private final PendingCalls pending;
    private final Runnable afterEach;
    private boolean running;

    /** @param afterEach what else is to be done in this rhythm */
    public DeadlineSweep(EventLoop loop, PendingCalls pending, Runnable afterEach) {
        this.loop = loop;
        this.pending = pending;
        this.afterEach = afterEach;
    }

    /** To be called when a call with a deadline was added. */
    public void ensureRunning() {
        if (!running) {
            running = true;
            schedule();
        }
    }

    private void schedule() {
        loop.schedule(this::sweep, PendingCalls.TICK_NS, TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        try {
            pending.sweep(System.nanoTime());
            afterEach.run();
        } catch (RuntimeException e) {
            // The other calls' deadlines must not go with this one's.
            LOG.error("a call could not be ended", e);
        }
        if (pending.hasDeadlines()) {
            schedule();
        } else {
            running = false;
        }
    }
}
