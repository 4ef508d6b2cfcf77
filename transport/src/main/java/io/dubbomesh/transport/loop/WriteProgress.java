package io.dubbomesh.transport.loop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

import java.util.concurrent.TimeUnit;

/**
 * Whether a peer takes what is written to it, found out by a look from time to time, not by a listener of each write.
 * Used by the channel's event loop only.
 */
public final class WriteProgress {
    /** The message that was being written at the last look, and how many of its bytes had been. */
    private Object message;

    private long messageBytes;
    /** Whether something waited at the last look. */
    private boolean pending;

    private long sinceNs;
    private long lastLookNs;

    /** Returns whether something waits to be written. */
    public static boolean hasUnwritten(Channel channel) {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        return outbound != null && outbound.totalPendingWriteBytes() > 0;
    }

    /** Takes a look; true if something waits to be written. */
    public boolean isPending(Channel channel, long nowNs) {
        if (!hasUnwritten(channel)) {
            message = null;
            pending = false;
            return false;
        }
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        Object current = outbound.current();
        long bytes = outbound.currentProgress();
        if (!pending
                || current != message
                || bytes != messageBytes
                || TcpState.hasSentWithin(channel, TimeUnit.NANOSECONDS.toMillis(nowNs - lastLookNs))) {
            message = current;
            messageBytes = bytes;
            sinceNs = nowNs;
        }
        lastLookNs = nowNs;
        pending = true;
        return true;
    }

    /** Returns how long the peer had taken nothing by the last look, which found something pending. */
    public long stalledNs(long nowNs) {
        return nowNs - sinceNs;
    }
}
