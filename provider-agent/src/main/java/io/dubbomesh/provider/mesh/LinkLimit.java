package io.dubbomesh.provider.mesh;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts the links on all event loops together, and decides whether another connection is accepted. A connection counts
 * from its peer's HELLO on; those without one are bounded by {@link io.dubbomesh.transport.socket.PeerPlaces}.
 */
public final class LinkLimit {
    public enum Admission {
        ACCEPT,
        /** The peer gets a GOAWAY with the reason, then the connection is closed. */
        REFUSE,
        /** The same; it is the first one since a connection was accepted, and of the last second. */
        REFUSE_AND_LOG,
        /** Too many refused connections are still open: it is closed without a GOAWAY. */
        CLOSE
    }

    private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final int limit;
    private final int maxRefused;
    private final AtomicInteger links = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicBoolean refusing = new AtomicBoolean();
    /** The time of the last logged refusal; null until one was logged. */
    private final AtomicReference<Long> loggedNs = new AtomicReference<>();

    /** @param maxRefused connections beyond the limit that may be open until their peers have read the reason */
    public LinkLimit(int limit, int maxRefused) {
        this.limit = limit;
        this.maxRefused = maxRefused;
    }

    /** Called when a connection was opened; {@link #closed} is to be called at its end with what this returns. */
    public Admission opened(long nowNs) {
        if (links.get() < limit) {
            refusing.set(false);
            return Admission.ACCEPT;
        }
        int now = refused.incrementAndGet();
        if (refusing.compareAndSet(false, true) && mayLog(nowNs)) {
            return Admission.REFUSE_AND_LOG;
        }
        return now <= maxRefused ? Admission.REFUSE : Admission.CLOSE;
    }

    /**
     * Returns whether a refusal may be logged now: a peer that connects again and again would cause a line each time.
     */
    private boolean mayLog(long nowNs) {
        Long before = loggedNs.get();
        return (before == null || nowNs - before >= LOG_INTERVAL_NS) && loggedNs.compareAndSet(before, nowNs);
    }

    public void closed(Admission admission) {
        if (admission != Admission.ACCEPT) {
            refused.decrementAndGet();
        }
    }

    /**
     * Called when the HELLO of an accepted connection has come. False if meanwhile there are too many; else {@link
     * #ended} is to be called at its end.
     */
    boolean helloReceived() {
        if (links.incrementAndGet() <= limit) {
            return true;
        }
        links.decrementAndGet();
        return false;
    }

    void ended() {
        links.decrementAndGet();
    }

    /** Returns why a connection is refused. */
    public String reason() {
        return "more than " + limit + " connections (mesh.max-connections)";
    }

    /** Returns the number of links that are open. */
    public int open() {
        return links.get();
    }
}
