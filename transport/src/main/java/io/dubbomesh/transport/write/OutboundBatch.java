package io.dubbomesh.transport.write;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.handler.ssl.SslHandler;

/**
 * The bytes that are written to one channel during a turn of its loop: one buffer, one outbound entry, one system call.
 * The buffer is held only while bytes wait in it.
 *
 * <p>A {@linkplain #recoverable recoverable} batch also keeps what the channel could not write at once, until a system
 * call has taken it, so that it is known, when the connection is lost, what the peer has certainly not received.
 */
public final class OutboundBatch {
    /**
     * A batch that has grown so far is handed to the channel before the turn ends; larger ones would only be copied
     * around.
     */
    private static final int FULL = 128 * 1024;
    /** Bytes of a piece of a long frame. */
    private static final int PIECE = 64 * 1024;

    private final Channel channel;
    private final Turn turn;
    private final SpareBuffers spares;
    /** What the bytes count as that the peer does not take. */
    private final Use use;

    private final boolean isOneOfMany;
    /** Null if what the channel has got counts as sent, and once it was taken. */
    private UnsentBuffers unsent;
    /** Whether {@link #takeUnsent} is to find what was appended and not handed over to a channel that is closed. */
    private boolean keptForTaking;

    private ByteBuf buffer;
    private long number;
    private long handedOverBytes;
    /** The bytes that waited in the channel at the last {@linkplain #countUnwritten count}. */
    private long unwrittenBytes;

    /**
     * Makes the batch of one of many connections, on which a loss need not be known exactly: what the channel has got
     * counts as sent. It may be flushed before the end of the turn, together with others. To be made on the loop.
     *
     * @param use             what the bytes that the peer does not read count as
     * @param initialCapacity of a buffer; few different ones should be in use on a loop
     */
    public OutboundBatch(Channel channel, Turn turn, Use use, int initialCapacity) {
        this(channel, turn, use, initialCapacity, false, false);
    }

    private OutboundBatch(
            Channel channel, Turn turn, Use use, int initialCapacity, boolean recoverable, boolean tracksWrites) {
        this.channel = channel;
        this.turn = turn;
        spares = SpareBuffers.ofLoop(initialCapacity);
        this.use = use;
        isOneOfMany = !recoverable;
        keptForTaking = recoverable;
        unsent = tracksWrites ? new UnsentBuffers(channel, spares) : null;
    }

    /**
     * Makes a batch whose bytes count as unsent unless a system call has taken them, as far as that can be known:
     * io_uring writes on its own, and TLS sends other bytes than those of the buffers, so there all counts as sent that
     * an open channel has got. {@link #takeUnsent} must be called once the channel is closed. To be made on the loop.
     */
    public static OutboundBatch recoverable(Channel channel, Turn turn, Use use, int initialCapacity) {
        boolean writesBuffersAtOnce =
                !(channel instanceof IoUringSocketChannel) && channel.pipeline().get(SslHandler.class) == null;
        return new OutboundBatch(channel, turn, use, initialCapacity, true, writesBuffersAtOnce);
    }

    /**
     * Returns the buffer to append to, by whole frames; the caller may move its writer index back over what it
     * themselves have just written, and does not release it.
     */
    public ByteBuf buffer() {
        if (buffer != null && buffer.writerIndex() >= FULL) {
            handOver();
        }
        if (buffer == null) {
            // First, so that a batch with bytes in it is flushed even if this fails.
            turn.written(this);
            buffer = spares.take(channel.alloc());
        }
        return buffer;
    }

    /** Returns whether it is that of one of many connections, of which each gets little in a turn. */
    boolean isOneOfMany() {
        return isOneOfMany;
    }

    /**
     * Loads what a flush needs of the channel into the processor's cache, a level deeper with each number; returns a
     * number of no meaning.
     */
    public int touch(int level) {
        if (level == 0) {
            return (int) (number + unwrittenBytes);
        }
        if (level == 1) {
            return (channel.isActive() ? 1 : 0) + (channel.unsafe() == null ? 1 : 0);
        }
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        return (channel.pipeline().lastContext() == null ? 1 : 0)
                + (outbound == null ? 0 : (int) outbound.totalPendingWriteBytes());
    }

    private void handOver() {
        ByteBuf full = buffer;
        buffer = null;
        write(full);
    }

    private void write(ByteBuf full) {
        number++;
        handedOverBytes += full.readableBytes();
        if (unsent == null) {
            channel.write(full, channel.voidPromise());
        } else {
            unsent.write(full);
        }
    }

    /**
     * Appends the end of a frame that may be long, in buffers of moderate size: each is released as soon as the peer
     * has read it, where one that has all of it would be held to its last byte. If this fails, a part of the frame may
     * be on its way.
     */
    public void append(ByteBuf in, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (end - at > PIECE) {
            ByteBuf piece = channel.alloc().directBuffer(PIECE, PIECE).writeBytes(in, at, PIECE);
            if (buffer != null) {
                handOver();
            }
            write(piece);
            at += PIECE;
        }
        buffer().writeBytes(in, at, end - at);
    }

    /**
     * Returns {@link #buffer()} for a frame of about so many bytes: a long one would else double the buffer until it
     * fits.
     */
    public ByteBuf buffer(int frameBytes) {
        ByteBuf out = buffer();
        if (frameBytes > MemoryBudget.LARGE && frameBytes > out.writableBytes()) {
            out.capacity(out.writerIndex() + frameBytes);
        }
        return out;
    }

    /** Returns whether the channel takes more without growing its backlog over the high-water mark. */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /**
     * Counts up each time that bytes are handed over to the channel: what was appended at this number is not sent yet.
     */
    public long number() {
        return number;
    }

    /**
     * Returns whether certainly no byte was sent of what was appended when the {@link #number} was {@code appendedAt}.
     */
    public boolean isUnsent(long appendedAt) {
        if (appendedAt == number) {
            return true;
        }
        if (unsent == null) {
            return false;
        }
        long oldest = number - unsent.count();
        return appendedAt > oldest || appendedAt == oldest && !unsent.isOldestTakenInPart();
    }

    /** Returns all bytes so far that the channel has got. */
    public long handedOverBytes() {
        return handedOverBytes;
    }

    /** Takes what was appended since the last flush, by whole frames; null for nothing. The caller releases it. */
    public ByteBuf takeUnflushed() {
        ByteBuf unflushed = buffer;
        buffer = null;
        return unflushed;
    }

    /**
     * Takes what was appended and not sent, in its order; null for nothing. Index 0 is the start of a frame. If the
     * reader index is not 0, the bytes before it were sent. To be called when the channel writes no more. The caller
     * releases it.
     */
    public ByteBuf takeUnsent() {
        ByteBuf unflushed = takeUnflushed();
        UnsentBuffers taken = unsent;
        unsent = null;
        keptForTaking = false;
        return taken == null ? unflushed : taken.takeAll(unflushed);
    }

    /** Sends now what would be sent at the end of the turn. */
    public void flush() {
        ByteBuf full = buffer;
        if (full == null || keptForTaking && !channel.isActive()) {
            return;
        }
        buffer = null;
        number++;
        handedOverBytes += full.readableBytes();
        if (!full.isReadable()) {
            spares.release(full);
            channel.flush();
        } else if (unsent == null) {
            spares.writeAndFlush(channel, full);
        } else {
            unsent.writeAndFlush(full);
        }
        countUnwritten();
    }

    /**
     * Counts anew what the peer has not taken yet. No listener tells when it is gone: to be called now and then, and
     * when the channel is closed, in which nothing waits.
     */
    public void countUnwritten() {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        long bytes = outbound == null ? 0 : outbound.totalPendingWriteBytes();
        if (bytes != unwrittenBytes) {
            turn.memory().add(use, bytes - unwrittenBytes);
            unwrittenBytes = bytes;
        }
    }

    /** Returns whether the peer had not taken all by the last count. */
    public boolean hasUnwritten() {
        return unwrittenBytes > 0;
    }

    /** Returns what the peer had not taken by the last count. */
    public long unwrittenBytes() {
        return unwrittenBytes;
    }
}
