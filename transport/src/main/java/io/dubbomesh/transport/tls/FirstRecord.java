package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.FatalErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.ScheduledFuture;

import java.util.concurrent.TimeUnit;

/**
 * Stands for TLS on a connection that was accepted, until all of the first record has come, in which the ClientHello begins. TLS makes objects of some
 * 14 KB for a connection before it has anything to do, and anybody can open one and send nothing, or nine bytes. What is no record at all is left to
 * TLS, which tells the peer. Owned by the connection's event loop.
 */
final class FirstRecord extends ChannelInboundHandlerAdapter {
    private final TlsRecords records;
    private final long timeoutMs;
    private final TlsStart start;
    /** What has come so far; null if that is nothing. */
    private ByteBuf kept;

    private ScheduledFuture<?> timeout;

    /** What follows. */
    interface TlsStart {
        /**
         * Adds TLS behind this handler.
         *
         * @param leftMs for the rest of the handshake, at least 1
         */
        void begin(ChannelHandlerContext firstRecord, long leftMs);

        /** Nothing more is waited for: the connection is closed. */
        void timedOut();
    }

    /**
     * @param records   stands in front of this
     * @param timeoutMs for the whole handshake
     */
    FirstRecord(TlsRecords records, long timeoutMs, TlsStart start) {
        this.records = records;
        this.timeoutMs = timeoutMs;
        this.start = start;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        timeout = ctx.executor().schedule(() -> timedOut(ctx), timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void timedOut(ChannelHandlerContext ctx) {
        start.timedOut();
        ctx.close();
    }

    /** The handlers are told when the handshake is done. */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf first = (ByteBuf) message;
        boolean isComplete = !records.isFirstIncomplete();
        if (!isComplete || kept != null) {
            keep(ctx, first);
        }
        if (isComplete) {
            if (kept != null) {
                first = kept;
                kept = null;
            }
            begin(ctx, first);
        }
    }

    /** In a buffer of its length: one of a read is larger. */
    private void keep(ChannelHandlerContext ctx, ByteBuf part) {
        try {
            if (kept == null) {
                kept = ctx.alloc().buffer(part.readableBytes());
            }
            kept.writeBytes(part);
        } finally {
            part.release();
        }
    }

    private void begin(ChannelHandlerContext ctx, ByteBuf first) {
        try {
            start.begin(ctx, Math.max(1, timeout.getDelay(TimeUnit.MILLISECONDS)));
        } catch (Throwable e) {
            first.release();
            throw e;
        }
        ctx.fireChannelRead(first);
        ctx.pipeline().remove(this);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.read();
    }

    /** Handlers that were not told of a connection are not told of its end. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {}

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {}

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        FatalErrors.check(cause);
        ctx.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        timeout.cancel(false);
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }
}
