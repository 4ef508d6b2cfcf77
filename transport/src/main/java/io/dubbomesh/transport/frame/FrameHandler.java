package io.dubbomesh.transport.frame;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Cuts what a connection receives into frames and hands over every complete one of a read, in place. A frame that has not
 * come wholly is kept, in a buffer that grows with the bytes that have come and never by a length that was only declared.
 */
public abstract class FrameHandler extends ChannelInboundHandlerAdapter {
    private final int headerLength;
    private ByteBuf partial;
    private boolean stopped;

    protected FrameHandler(int headerLength) {
        this.headerLength = headerLength;
    }

    /**
     * The whole length of the frame whose header, complete, starts at {@code offset}.
     *
     * @throws MalformedFrameException if no frame can start so, or it is longer than this side takes
     */
    protected abstract long frameLength(ByteBuf in, int offset) throws MalformedFrameException;

    /** Takes one frame; the bytes are valid during the call only and are not to be released. */
    protected abstract void frame(ByteBuf in, int offset, int length) throws MalformedFrameException;

    /** The peer sent what is not a frame; no more frames are handed over. This method closes the connection. */
    protected abstract void malformed(String reason);

    /** From now on all that arrives is discarded. */
    protected final void stopReading() {
        stopped = true;
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (partial != null) {
            try {
                partial.writeBytes(in);
            } finally {
                in.release();
            }
            in = partial;
            partial = null;
        }
        try {
            in = keepRest(ctx, in, handOver(in));
        } catch (MalformedFrameException e) {
            stopped = true;
            malformed(e.getMessage());
        } finally {
            if (in != null) {
                in.release();
            }
        }
    }

    /** Returns where the first incomplete frame starts. */
    private int handOver(ByteBuf in) throws MalformedFrameException {
        int at = in.readerIndex();
        int end = in.writerIndex();
        while (!stopped && end - at >= headerLength) {
            long length = frameLength(in, at);
            if (end - at < length) {
                break;
            }
            frame(in, at, (int) length);
            at += (int) length;
        }
        return stopped ? end : at;
    }

    /** Returns the buffer that is still to be released, or null if it is kept. */
    private ByteBuf keepRest(ChannelHandlerContext ctx, ByteBuf in, int at) {
        int rest = in.writerIndex() - at;
        if (rest == 0) {
            return in;
        }
        if (at == in.readerIndex() && in.maxFastWritableBytes() > 0 && in.refCnt() == 1) {
            // Nothing was consumed: the frame is larger than a read, so this buffer goes on growing.
            partial = in;
            return null;
        }
        partial = ctx.alloc().directBuffer(Math.max(rest, 1024)).writeBytes(in, at, rest);
        return in;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }
}
