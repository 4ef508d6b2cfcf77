package io.dubbomesh.transport.loop;

/**
 * The time for which a peer has been silent, and whether this side owes it a heartbeat, as far as a check at each end
 * of an interval can see. Knows no clock: time is a parameter.
 * <pre>
 *   since the last check             the silence
 *   ------------------------------   ----------------------------------------------------------------
 *   something was received           ends
 *   it is excused, since this side   ends: bytes may wait in the socket
 *   does not read, for example
 *   neither                          grows by the time since that check, by at most two intervals
 *
 *   for a beat, which is a number    a heartbeat is due
 *   of checks
 *   ------------------------------   ----------------------------------------------------------------
 *   nothing was received             at once, and again with each half of a beat
 *   something was received, and      at once
 *   nothing was written
 * </pre>
 * So no heartbeat is sent where traffic flows both ways. A process that was stopped itself reads afterwards what has
 * come meanwhile, therefore the bound of two intervals. Owned by one event loop.
 */
public final class PeerSilence {
    private final long intervalNs;
    private final int checksPerBeat;

    private boolean received;
    private long silentNs;
    private int checksWithoutBytes;
    private int checksWithoutWriting;
    /** The bytes that this side had written by the last check. */
    private long writtenBytes;

    private long lastCheckNs;

    /**
     * @param intervalNs    between two checks, at least
     * @param checksPerBeat checks without traffic after which a heartbeat is due
     */
    public PeerSilence(long intervalNs, int checksPerBeat, long nowNs) {
        this.intervalNs = intervalNs;
        this.checksPerBeat = checksPerBeat;
        lastCheckNs = nowNs;
    }

    /** Called for what counts as a sign of life: bytes or whole frames, as the owner decides. */
    public void onReceived() {
        received = true;
    }

    /** Returns whether something was received since the last check. */
    public boolean hasReceived() {
        return received;
    }

    /**
     * Called when a heartbeat of this many bytes was written that is not to count as traffic, so that the next one is
     * due a beat later whether the peer answers or not.
     */
    public void onHeartbeatWritten(int bytes) {
        writtenBytes += bytes;
    }

    /**
     * Ends an interval.
     *
     * @param isExcused  whether the peer cannot be expected to be heard
     * @param allWritten bytes that were written so far
     * @return the time since the last check, at most two intervals
     */
    public long check(boolean isExcused, long allWritten, long nowNs) {
        long elapsedNs = Math.min(nowNs - lastCheckNs, 2 * intervalNs);
        lastCheckNs = nowNs;
        silentNs = received || isExcused ? 0 : silentNs + elapsedNs;
        checksWithoutBytes = received && !isExcused ? 0 : checksWithoutBytes + 1;
        checksWithoutWriting = allWritten != writtenBytes ? 0 : checksWithoutWriting + 1;
        writtenBytes = allWritten;
        received = false;
        return elapsedNs;
    }

    /** Returns how long the peer had been silent at the last check. */
    public long silentNs() {
        return silentNs;
    }

    /** Returns whether a heartbeat was due at the last check. */
    public boolean isHeartbeatDue() {
        boolean onlyReads = silentNs == 0 && checksWithoutWriting >= checksPerBeat;
        boolean onlyWaits =
                checksWithoutBytes >= checksPerBeat && checksWithoutBytes % Math.max(1, checksPerBeat / 2) == 0;
        return onlyReads || onlyWaits;
    }
}
