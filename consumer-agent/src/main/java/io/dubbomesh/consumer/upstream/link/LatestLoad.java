package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.ReportedLoad;
import io.netty.buffer.ByteBuf;

import java.util.concurrent.TimeUnit;

/**
 * The load of an endpoint's provider as the latest RESPONSE reports it: that of all consumer agents together. Owned by
 * one event loop.
 */
public final class LatestLoad {
    /** A report of shorter calls is valid for so long: an event loop gets no new one unless it sends a call there. */
    private static final long MIN_VALID_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private int calls;
    private int time;

    private long reportedNs;
    /** The calls that this event loop has sent since. */
    private int sentSince;

    /** Takes what the RESPONSE at {@code offset} reports. */
    void take(ByteBuf in, int offset, long nowNs) {
        calls = MeshHeader.reportedCalls(in, offset);
        time = MeshHeader.reportedTime(in, offset);
        reportedNs = nowNs;
        sentSince = 0;
    }

    /** Called when a call is sent to the endpoint that holds a permit there until it is answered. */
    public void sent() {
        sentSince++;
    }

    /** Returns whether the provider has no permit left for a call that is sent now. */
    boolean isFull(int limit, long nowNs) {
        // The call that was answered has ended. It is counted unless the agent answered it without its provider: then a
        // call too many finds room, and is given back at worst.
        return isKnown() && inService() - 1 + waiting() + sentSince >= limit && ageNs(nowNs) < validNs();
    }

    /**
     * Returns for how long it can be believed that the provider has no permit left: for the time that a call takes, or
     * a little longer. Then those of which a report tells have ended, and nothing is known.
     */
    long validNs() {
        return Math.max(timeNs(), MIN_VALID_NS);
    }

    /** Forgets what was reported: another process may answer at the address. */
    void clear() {
        calls = 0;
        time = 0;
    }

    /** Returns whether something is known: not of an agent that reports no load, nor before its first answer. */
    public boolean isKnown() {
        return (calls | time) != 0;
    }

    /** Returns the calls that the provider was executing, with the one that was answered if it executed that. */
    public int inService() {
        return ReportedLoad.inService(calls);
    }

    /** Returns the calls that waited for the provider. */
    public int waiting() {
        return ReportedLoad.waiting(calls);
    }

    /** Returns the calls that this event loop has sent since. */
    public int sentSince() {
        return sentSince;
    }

    /**
     * Returns what calls took, from their arrival at the provider agent to the provider's answer; 0 if it has answered
     * none.
     */
    public long timeNs() {
        return ReportedLoad.timeNs(time);
    }

    /** Returns how long ago that was. */
    public long ageNs(long nowNs) {
        return nowNs - reportedNs;
    }

    /** Returns null if nothing is known. */
    EndpointState.Load state() {
        return isKnown() ? new EndpointState.Load(inService(), waiting(), timeNs(), reportedNs) : null;
    }
}
