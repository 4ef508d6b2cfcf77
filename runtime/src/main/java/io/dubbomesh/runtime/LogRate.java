package io.dubbomesh.runtime;

/** Bounds the lines of a kind that peers cause in an interval. Used by one thread at a time. */
public final class LogRate {
    private final int lines;
    private final long intervalNs;
    /** The begin of the interval; of no meaning as long as nothing was logged. */
    private long sinceNs;

    private int logged;
    private long leftOut;

    public LogRate(int lines, long intervalNs) {
        this.lines = lines;
        this.intervalNs = intervalNs;
    }

    /** Returns whether a line is to be logged now; otherwise it counts as left out. */
    public boolean admits(long nowNs) {
        if (logged == 0 || nowNs - sinceNs >= intervalNs) {
            sinceNs = nowNs;
            logged = 0;
        }
        if (logged == lines) {
            leftOut++;
            return false;
        }
        logged++;
        return true;
    }

    /** Returns the end of a line that was admitted: how many were left out before. */
    public String leftOut() {
        String told = leftOut == 0 ? "" : " (and " + leftOut + " more before)";
        leftOut = 0;
        return told;
    }
}
