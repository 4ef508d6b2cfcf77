package io.dubbomesh.provider.mesh;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** How many mesh connections are open on all event loops together, and what becomes of a new one. */
public final class ConnectionLimit {
    public enum Verdict {
        ACCEPT,
        /** It is told why and closed. */
        REFUSE,
        /** The same; it is the first one since a connection was accepted. */
        REFUSE_AND_LOG,
        /** Too many others are being told why: it is closed without a GOAWAY. */
        CLOSE
    }

    private final int limit;
    private final int maxRefused;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean refusing = new AtomicBoolean();

    /** @param maxRefused connections beyond the limit that may be open until they have been told why */
    public ConnectionLimit(int limit, int maxRefused) {
        this.limit = limit;
        this.maxRefused = maxRefused;
    }

    /** A connection was opened; {@link #closed} is to be called at its end, whatever the verdict. */
    public Verdict opened() {
        int now = open.incrementAndGet();
        if (now <= limit) {
            refusing.set(false);
            return Verdict.ACCEPT;
        }
        if (refusing.compareAndSet(false, true)) {
            return Verdict.REFUSE_AND_LOG;
        }
        return now <= limit + maxRefused ? Verdict.REFUSE : Verdict.CLOSE;
    }

    public void closed() {
        open.decrementAndGet();
    }

    /** Connections that are open, refused ones included. */
    public int open() {
        return open.get();
    }
}
