package io.dubbomesh.testsupport.random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;

/**
 * The channel of a link that receives a fuzzed input in pieces. All that is written is read at the end of the turn,
 * however much it is, and no timer depends on how busy the machine is.
 */
public final class FedChannel extends EmbeddedChannel {
    /** The room for the next piece behind some pieces. */
    public static final int MARGIN = 64;

    public FedChannel(ByteBufAllocator allocator) {
        freezeTime();
        config().setAllocator(allocator);
        config().setWriteBufferWaterMark(new WriteBufferWaterMark(Integer.MAX_VALUE - 1, Integer.MAX_VALUE));
    }

    /**
     * Gives the handler a piece of the input: not through the pipeline, by which a link ends with any exception as it
     * does with a bad frame.
     *
     * @param piece its number
     */
    public void feed(ChannelInboundHandler handler, byte[] bytes, int from, int to, int piece) {
        ChannelHandlerContext context = pipeline().context(handler);
        int margin = piece % 3 == 2 ? MARGIN : 0;
        ByteBuf read = alloc().directBuffer(to - from + margin).writeBytes(bytes, from, to - from);
        try {
            if (piece % 3 == 1) {
                // It shares its memory with others, as the reads of an event loop do.
                handler.channelRead(context, read.retainedSlice());
                read.setZero(0, read.capacity()).release();
            } else {
                handler.channelRead(context, read);
            }
            handler.channelReadComplete(context);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
