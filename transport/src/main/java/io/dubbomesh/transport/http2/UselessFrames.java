package io.dubbomesh.transport.http2;

import io.netty.handler.codec.http2.Http2Error;

import java.util.concurrent.TimeUnit;

/**
 * Bounds the frames of a peer that bring no call forward: SETTINGS, PING, PRIORITY, empty DATA, frames for streams that
 * have ended, of unknown types, and WINDOW_UPDATE, of which a peer sends some for each request. Each takes from a
 * credit, to which frames that serve a call give, and each second.
 */
final class UselessFrames {
    /** In a second in which no call is served. */
    static final int MAX = 4096;
    /** Provided that few streams are open at once, a server sends two WINDOW_UPDATE and a PING for each request. */
    private static final int PER_USEFUL = 8;

    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private int credit = MAX;
    private long sinceNs;

    UselessFrames(long nowNs) {
        sinceNs = nowNs;
    }

    /** Called when a frame of a call was sent or received. */
    void onUseful() {
        credit = Math.min(credit + PER_USEFUL, MAX);
    }

    /** @param cost for how many it counts */
    void onUseless(int cost, long nowNs) throws ProtocolViolation {
        if (nowNs - sinceNs >= PERIOD_NS) {
            sinceNs = nowNs;
            credit = MAX;
        }
        credit -= cost;
        if (credit < 0) {
            throw new ProtocolViolation(Http2Error.ENHANCE_YOUR_CALM, "a flood of frames that serve no call");
        }
    }
}
