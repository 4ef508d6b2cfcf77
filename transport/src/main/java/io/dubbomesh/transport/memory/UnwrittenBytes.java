package io.dubbomesh.transport.memory;

import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * The bytes that wait in one channel because its peer does not read them. No listener tells when they are gone, so they
 * are counted anew after each flush, and whenever they are asked for.
 */
public final class UnwrittenBytes {
    private final MemoryBudget budget;
    private final Use use;
    private long counted;

    /** @param use what they count as */
    public UnwrittenBytes(MemoryBudget budget, Use use) {
        this.budget = budget;
        this.use = use;
    }

    /** Returns what was found by the last look. */
    public long counted() {
        return counted;
    }

    /** Takes a look; none wait in a channel that is closed. */
    public void count(Channel channel) {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        long unwritten = outbound == null ? 0 : outbound.totalPendingWriteBytes();
        if (unwritten != counted) {
            budget.add(use, unwritten - counted);
            counted = unwritten;
        }
    }
}
