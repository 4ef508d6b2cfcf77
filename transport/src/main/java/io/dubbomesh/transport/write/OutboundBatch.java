package io.dubbomesh.transport.write;

import io.dubbomesh.transport.memory.UnwrittenBytes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * What is written to one channel during a turn of its loop: one buffer, one outbound entry, one system call. The buffer is held only
 * while bytes wait in it.
 */
public final class OutboundBatch {
    /** A batch that has grown so far is handed to the channel before the turn ends; larger ones would only be copied around. */
    private static final int FULL = 128 * 1024;

    private final Channel channel;
    private final Turn turn;
    private final SpareBuffers spares;
    private final UnwrittenBytes unwritten;
    private ByteBuf buffer;
    private long number;

    /**
     * To be made on the loop.
     *
     * @param initialCapacity of a buffer; few different ones should be in use on a loop
     */
    public OutboundBatch(Channel channel, Turn turn, int initialCapacity) {
        this.channel = channel;
        this.turn = turn;
        spares = SpareBuffers.ofLoop(initialCapacity);
        unwritten = new UnwrittenBytes(turn.memory());
    }

    /**
     * The buffer to append to, by whole frames; whoever appends may move its writer index back over what they themselves
     * have just written, and does not release it.
     */
    public ByteBuf buffer() {
        if (buffer != null && buffer.writerIndex() >= FULL) {
            ByteBuf full = buffer;
            buffer = null;
            number++;
            channel.write(full, channel.voidPromise());
        }
        if (buffer == null) {
            // First, so that a batch with bytes in it is flushed whatever fails here.
            turn.written(this);
            buffer = spares.take(channel.alloc());
        }
        return buffer;
    }

    /** Whether the channel takes more without growing its backlog over the high-water mark. */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Counts up each time that bytes are handed over to the channel: what was appended at this number is not sent yet. */
    public long number() {
        return number;
    }

    /** Takes what was appended and has not been handed to the channel; null for nothing. The caller releases it. */
    public ByteBuf takeUnsent() {
        ByteBuf unsent = buffer;
        buffer = null;
        return unsent;
    }

    /** Sends now what would be sent at the end of the turn. */
    public void flush() {
        ByteBuf full = buffer;
        if (full == null) {
            return;
        }
        buffer = null;
        number++;
        if (full.isReadable()) {
            spares.writeAndFlush(channel, full);
        } else {
            spares.giveBack(full);
            channel.flush();
        }
        unwritten.count(channel);
    }

    /** Counts anew what the peer has not taken yet; to be called now and then, and when the channel is closed. */
    public void countUnwritten() {
        unwritten.count(channel);
    }

    /** Whether the peer had not taken all by the last count. */
    public boolean hasUnwritten() {
        return unwritten.counted() > 0;
    }
}
