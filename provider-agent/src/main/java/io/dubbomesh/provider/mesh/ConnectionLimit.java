package io.dubbomesh.provider.mesh;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** How many mesh connections are open on all event loops together, and whether a new one is accepted. */
public final class ConnectionLimit {
    public enum Admission {
        ACCEPT,
        /** The peer gets a GOAWAY with the reason, then the connection is closed. */
        REFUSE,
        /** The same; it is the first one since a connection was accepted. */
        REFUSE_AND_LOG,
        /** Too many refused connections are still open: it is closed without a GOAWAY. */
        CLOSE
    }

    private final int limit;
    private final int maxRefused;
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicBoolean refusing = new AtomicBoolean();

    /** @param maxRefused connections beyond the limit that may be open until their peers have read the reason */
    public ConnectionLimit(int limit, int maxRefused) {
        this.limit = limit;
        this.maxRefused = maxRefused;
    }

    /** A connection was opened; {@link #closed} is to be called at its end with what this returns. */
    public Admission opened() {
        if (accepted.incrementAndGet() <= limit) {
            refusing.set(false);
            return Admission.ACCEPT;
        }
        accepted.decrementAndGet();
        int now = refused.incrementAndGet();
        if (refusing.compareAndSet(false, true)) {
            return Admission.REFUSE_AND_LOG;
        }
        return now <= maxRefused ? Admission.REFUSE : Admission.CLOSE;
    }

    public void closed(Admission admission) {
        (admission == Admission.ACCEPT ? accepted : refused).decrementAndGet();
    }

    /** Accepted connections that are open. */
    public int open() {
        return accepted.get();
    }
}
