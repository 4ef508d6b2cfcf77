package io.dubbomesh.registry.thread;

import java.util.concurrent.TimeUnit;

/**
 * Bounds the log lines that others can cause: so many a minute, and, where {@link #leftOut} is called, one more that
 * says how many were left out. Belongs to one thread.
 */
public final class LogLimit {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final int linesPerMinute;
    private boolean started;
    private long startNs;
    private int logged;
    /** The lines left out in this minute. */
    private int leftOut;
    /** The lines left out in those before, and not told. */
    private int leftOutBefore;

    public LogLimit(int linesPerMinute) {
        this.linesPerMinute = linesPerMinute;
    }

    /** Returns whether one more line may be logged. */
    public boolean tryLog(long nowNs) {
        if (!started || isOver(nowNs)) {
            started = true;
            startNs = nowNs;
            logged = 0;
            leftOutBefore += leftOut;
            leftOut = 0;
        }
        if (logged < linesPerMinute) {
            logged++;
            return true;
        }
        leftOut++;
        return false;
    }

    /** Returns the number of lines that were left out in minutes that are over; 0 if this was told already. */
    public int leftOut(long nowNs) {
        if (started && isOver(nowNs)) {
            started = false;
            leftOutBefore += leftOut;
            leftOut = 0;
        }
        int told = leftOutBefore;
        leftOutBefore = 0;
        return told;
    }

    private boolean isOver(long nowNs) {
        return nowNs - startNs >= MINUTE_NS;
    }
}
