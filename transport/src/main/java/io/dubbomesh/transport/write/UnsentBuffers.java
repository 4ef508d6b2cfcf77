package io.dubbomesh.transport.write;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;

import java.util.ArrayDeque;

/**
 * The buffers that a channel has got and that no system call has taken wholly, oldest first. This is also the promise
 * of all their writes: a channel writes in order, so that each success is that of the oldest buffer, and once a write
 * has failed none succeeds. It is never done, and one serves a connection for its life, where a promise for each write
 * would be allocated.
 *
 * <p>Each buffer is held twice, here and by the channel. Netty moves the reader index of one that was written in part,
 * and only of that one. Owned by the channel's event loop.
 */
final class UnsentBuffers extends DefaultChannelPromise {
    private final SpareBuffers spares;
    private final ArrayDeque<ByteBuf> buffers = new ArrayDeque<>();
    private boolean failed;

    UnsentBuffers(Channel channel, SpareBuffers spares) {
        super(channel);
        this.spares = spares;
    }

    /** Hands over a buffer, which is not to be used afterwards. */
    void write(ByteBuf buffer) {
        buffers.addLast(buffer);
        channel().write(buffer.retain(), this);
    }

    void writeAndFlush(ByteBuf buffer) {
        buffers.addLast(buffer);
        channel().writeAndFlush(buffer.retain(), this);
    }

    int count() {
        return buffers.size();
    }

    /** Returns whether a system call has taken the beginning of the oldest buffer. */
    boolean isOldestTakenInPart() {
        return !buffers.isEmpty() && buffers.peekFirst().readerIndex() > 0;
    }

    /**
     * Takes all buffers, and {@code last} behind them, as one; null for nothing. Its bytes begin where a buffer began,
     * at index 0, and its reader index is behind those that a system call has taken. To be called when the channel
     * writes no more.
     *
     * @param last null for none
     */
    ByteBuf takeAll(ByteBuf last) {
        if (buffers.isEmpty()) {
            return last;
        }
        if (last != null) {
            buffers.addLast(last);
        }
        int taken = buffers.peekFirst().readerIndex();
        ByteBuf all;
        if (buffers.size() == 1) {
            all = buffers.pollFirst();
        } else {
            CompositeByteBuf composite = channel().alloc().compositeBuffer(buffers.size());
            for (ByteBuf buffer = buffers.pollFirst(); buffer != null; buffer = buffers.pollFirst()) {
                composite.addComponent(true, buffer.readerIndex(0));
            }
            all = composite;
        }
        return all.readerIndex(taken);
    }

    @Override
    public boolean trySuccess(Void result) {
        assert !failed : "a success after a failure";
        spares.release(buffers.pollFirst());
        return true;
    }

    @Override
    public boolean tryFailure(Throwable cause) {
        if (!failed) {
            failed = true;
            // The channel's void promise does the same.
            if (channel().isRegistered()) {
                channel().pipeline().fireExceptionCaught(cause);
            }
        }
        return true;
    }

    @Override
    public ChannelPromise setSuccess(Void result) {
        trySuccess(result);
        return this;
    }

    @Override
    public ChannelPromise setFailure(Throwable cause) {
        tryFailure(cause);
        return this;
    }

    @Override
    public boolean setUncancellable() {
        return true;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }
}
