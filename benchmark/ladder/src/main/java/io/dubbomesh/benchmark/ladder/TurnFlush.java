package io.dubbomesh.benchmark.ladder;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/** Turns the flushes of one turn of the event loop into a single one at its end. */
final class TurnFlush extends ChannelOutboundHandlerAdapter implements Runnable {
    private ChannelHandlerContext ctx;
    private boolean due;

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
    }

    @Override
    public void flush(ChannelHandlerContext flushed) {
        if (!due) {
            due = true;
            // A loop runs its tasks after it has served all channels that were ready.
            flushed.channel().eventLoop().execute(this);
        }
    }

    /** Ends the turn. */
    @Override
    public void run() {
        due = false;
        ctx.flush();
    }
}
