package io.dubbomesh.transport.loop;

import io.netty.channel.Channel;

import java.util.concurrent.TimeUnit;

/**
 * Whether a peer takes what waits for it at a least rate, found out by a look from time to time: in each window of time
 * in which something always waited. What counts is what the peer's system has acknowledged, since that of this side
 * takes megabytes at once and then nothing for a minute. Known with epoll only. Used by the channel's event loop only.
 */
public final class ReadRate {
    private static final long MS_PER_S = 1_000;

    private final long windowNs;
    private final long leastBytes;
    private boolean measuring;
    private long sinceNs;
    private long acknowledgedBefore;

    /** @param leastPerSecond bytes that a peer must take */
    public ReadRate(int leastPerSecond, long windowNs) {
        this.windowNs = windowNs;
        leastBytes = leastPerSecond * TimeUnit.NANOSECONDS.toMillis(windowNs) / MS_PER_S;
    }

    /**
     * Takes a look; to be called only as long as something waits for the peer. Returns whether the peer has taken less
     * than it must in a window that is over.
     */
    public boolean isTooLow(Channel channel, long nowNs) {
        if (measuring && nowNs - sinceNs < windowNs) {
            return false;
        }
        long acknowledged = TcpState.acknowledgedBytes(channel);
        boolean tooLow = measuring
                && acknowledged >= 0
                && acknowledgedBefore >= 0
                && acknowledged - acknowledgedBefore < leastBytes;
        measuring = true;
        sinceNs = nowNs;
        acknowledgedBefore = acknowledged;
        return tooLow;
    }
}
