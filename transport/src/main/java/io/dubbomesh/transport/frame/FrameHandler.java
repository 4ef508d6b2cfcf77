package io.dubbomesh.transport.frame;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Cuts what a connection receives into frames and hands over every complete one of a read, in place. A frame that has
 * not come wholly is kept, in a buffer that grows with the bytes that have come, never to a length that was only
 * declared nor beyond it. So are complete ones while they are {@linkplain #holdFrames held}.
 */
public abstract class FrameHandler extends ChannelInboundHandlerAdapter {
    private static final int INITIAL_CAPACITY = 1024;

    private final int headerLength;
    private final MemoryBudget memory;
    private ByteBuf partial;
    /** The length of the frame that is incomplete, 0 if its header is. */
    private int partialLength;
    /** Whether the budget counts all of that frame, and not only what is kept of it. */
    private boolean reserved;
    /** Bytes of a frame that is discarded, and that have not come yet. */
    private int toDiscard;
    /** The bytes that the budget counts, and their use. */
    private int held;

    private Use heldFor = Use.PARTIAL_FRAMES;

    private ChannelHandlerContext ctx;
    private boolean stopped;
    /** Whether complete frames are kept. */
    private boolean holding;
    /** The time at which the bytes were read that are handed over now. */
    private long readNs;
    /** The time for which the frames were held that are handed over now. */
    private long heldNs;

    /** @param memory counts what is kept of incomplete frames */
    protected FrameHandler(int headerLength, MemoryBudget memory) {
        this.headerLength = headerLength;
        this.memory = memory;
    }

    protected FrameHandler(int headerLength) {
        this(headerLength, MemoryBudget.unlimited());
    }

    /**
     * Returns the whole length of the frame whose header, complete, starts at {@code offset}.
     *
     * @throws MalformedFrameException if no frame can start so, or it is longer than this side takes
     */
    protected abstract long frameLength(ByteBuf in, int offset) throws MalformedFrameException;

    /** Takes one frame; the bytes are valid during the call only and are not to be released. */
    protected abstract void frame(ByteBuf in, int offset, int length) throws MalformedFrameException;

    /**
     * Called before frames are handed over. {@code in[at, end)} begins with one; it may be incomplete or malformed, as
     * those behind it.
     *
     * @return after how many frames this is to be called again, more than 0
     */
    protected int lookAhead(ByteBuf in, int at, int end) {
        return Integer.MAX_VALUE;
    }

    /** Called when bytes were read. */
    protected void received(int bytes) {}

    /** Returns when the frame that is handed over was read; the same for all frames of a read. */
    public final long readNs() {
        return readNs;
    }

    /** Returns how long the frame that is handed over was {@linkplain #holdFrames held}; 0 if it was not. */
    public final long heldNs() {
        return heldNs;
    }

    /**
     * Called when the peer sent what is not a frame; no more frames are handed over. This method closes the connection.
     */
    protected abstract void malformed(String reason);

    /**
     * Keeps the frames that are complete from now on, the rest of those of this read too; or hands over what was kept,
     * at the end of the turn, and then what arrives. The caller also has to stop the reading.
     */
    protected final void holdFrames(boolean now) {
        if (holding && !now && partial != null) {
            ctx.executor().execute(this::handOverHeld);
        }
        holding = now;
    }

    private void handOverHeld() {
        if (partial == null || holding || partial.readableBytes() < partialLength) {
            return;
        }
        ByteBuf in = partial;
        partial = null;
        heldNs = System.nanoTime() - readNs;
        try {
            handOverOrKeep(in);
        } catch (RuntimeException | Error e) {
            ctx.pipeline().fireExceptionCaught(e);
        } finally {
            heldNs = 0;
        }
    }

    /** Discards all that arrives from now on. */
    protected final void stopReading() {
        stopped = true;
    }

    /** Called by methods that override it. */
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        // The turn may read before it comes to the task that does it.
        handOverHeld();
        readNs = System.nanoTime();
        received(in.readableBytes());
        if (partial != null) {
            try {
                ensureWritable(partial, in.readableBytes());
                partial.writeBytes(in);
            } finally {
                in.release();
            }
            in = partial;
            partial = null;
            if (in.readableBytes() >= partialLength) {
                // A complete frame is counted by its receiver.
                count();
            }
        }
        handOverOrKeep(in);
    }

    /** Releases or keeps the bytes. */
    private void handOverOrKeep(ByteBuf read) {
        ByteBuf in = read;
        try {
            in = keepRest(in, handOver(in));
        } catch (MalformedFrameException e) {
            stopped = true;
            malformed(e.getMessage());
        } finally {
            if (in != null) {
                in.release();
            }
            count();
        }
        if (partialLength > MemoryBudget.LARGE && partial != null) {
            if (!isWanted(partial, partial.readerIndex())) {
                discardFrame();
            } else if (!reserved && !tryReserve()) {
                awaitRoom(partial, partial.readerIndex());
            }
        }
    }

    /**
     * Returns whether a large frame that has begun is still of use; asked with each read that brings more of it. One
     * that is not is discarded.
     *
     * @param in has the header of the frame, at {@code offset}
     */
    protected boolean isWanted(ByteBuf in, int offset) {
        return true;
    }

    /**
     * Called when a large frame has begun, and there is no room for all of it. Nothing more of it should be read before
     * {@link #tryReserve} succeeds, or it should be {@linkplain #discardFrame discarded}, unless the connection is one
     * of few.
     *
     * @param in     has the header of the frame, at {@code offset}; valid until the frame is discarded
     */
    protected void awaitRoom(ByteBuf in, int offset) {}

    /** Discards the large frame that has begun, what has come of it and what comes. */
    protected final void discardFrame() {
        toDiscard = partialLength - partial.readableBytes();
        partial.release();
        partial = null;
        count();
    }

    /** Returns whether there is room for all of the frame that has begun; takes it. */
    protected final boolean tryReserve() {
        if (partial == null || reserved) {
            return true;
        }
        memory.release(heldFor, held);
        reserved = memory.hasRoom(Use.FRAMES, partialLength);
        memory.add(heldFor, held);
        count();
        return reserved;
    }

    /** Doubles the buffer, but not beyond the frame that it is for. */
    private void ensureWritable(ByteBuf buffer, int bytes) {
        if (buffer.writableBytes() < bytes) {
            int needed = buffer.writerIndex() + bytes;
            long doubled = Math.min(2L * buffer.capacity(), Math.max(partialLength, INITIAL_CAPACITY));
            buffer.capacity((int) Math.min(Math.max(needed, doubled), buffer.maxCapacity()));
        }
    }

    private void count() {
        reserved &= partial != null;
        int kept = partial == null ? 0 : Math.max(partial.capacity(), reserved ? partialLength : 0);
        Use use = reserved ? Use.FRAMES : Use.PARTIAL_FRAMES;
        if (kept != held || use != heldFor) {
            memory.release(heldFor, held);
            memory.add(use, kept);
            held = kept;
            heldFor = use;
        }
    }

    /** Returns where the first frame starts that is incomplete or held. */
    private int handOver(ByteBuf in) throws MalformedFrameException {
        int at = in.readerIndex();
        int end = in.writerIndex();
        if (holding && !stopped) {
            return at;
        }
        int discarded = Math.min(toDiscard, end - at);
        toDiscard -= discarded;
        at += discarded;
        partialLength = 0;
        int left = 0;
        while (!stopped && !holding && end - at >= headerLength) {
            if (left == 0) {
                left = lookAhead(in, at, end);
            }
            left--;
            long length = frameLength(in, at);
            if (end - at < length) {
                partialLength = (int) length;
                break;
            }
            frame(in, at, (int) length);
            at += (int) length;
        }
        return stopped ? end : at;
    }

    /** Returns the buffer that is still to be released, or null if it is kept. */
    private ByteBuf keepRest(ByteBuf in, int at) {
        int rest = in.writerIndex() - at;
        if (rest == 0) {
            return in;
        }
        if (at == in.readerIndex() && in.maxFastWritableBytes() > 0 && in.refCnt() == 1) {
            // Nothing was consumed: the frame is larger than a read, so this buffer goes on growing.
            partial = in;
            return null;
        }
        partial = ctx.alloc().directBuffer(Math.max(rest, INITIAL_CAPACITY)).writeBytes(in, at, rest);
        return in;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (partial != null) {
            partial.release();
            partial = null;
        }
        count();
    }
}
