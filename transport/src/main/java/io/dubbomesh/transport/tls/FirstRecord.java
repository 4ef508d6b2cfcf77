package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.FatalErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.ScheduledFuture;

import java.util.concurrent.TimeUnit;

/**
 * Stands for TLS on a connection that was accepted, until all of the first record has come, in which the ClientHello
 * begins, and the handshake may begin. TLS makes objects of some 14 KB for a connection before it has anything to do,
 * and anybody can open one and send nothing, or nine bytes. What is no record at all is left to TLS, which tells the
 * peer. Owned by the connection's event loop.
 */
final class FirstRecord extends ChannelInboundHandlerAdapter {
    private final TlsRecords records;
    private final long timeoutMs;
    private final TlsStart start;
    private ChannelHandlerContext context;
    /** What has come so far; null if that is nothing. */
    private ByteBuf kept;
    /** Whether {@link #kept} is as long as a read may be, not as long as what it holds. */
    private boolean isLoose;
    /** Whether the record is complete, so that nothing more is read before TLS begins. */
    private boolean isComplete;

    private boolean reads;
    /** Whether what waits for the handshake to begin was counted. */
    private boolean waits;

    private ScheduledFuture<?> timeout;

    /** What follows. */
    interface TlsStart {
        /** The record is complete: {@link FirstRecord#begin} is to be called, now or later. */
        void request();

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
        context = ctx;
        timeout = ctx.executor().schedule(this::timedOut, timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void timedOut() {
        start.timedOut();
        context.close();
    }

    /** The handlers are told when the handshake is done. */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        reads = true;
        keep((ByteBuf) message);
        if (!isComplete && !records.isFirstIncomplete()) {
            isComplete = true;
            start.request();
        }
        if (kept != null && (isLoose || isComplete)) {
            tighten();
        }
        if (kept != null && isComplete) {
            waits = true;
            records.keeps(kept.capacity());
        }
        reads = false;
    }

    private void keep(ByteBuf part) {
        if (kept == null) {
            kept = part;
            isLoose = true;
            return;
        }
        try {
            kept.writeBytes(part);
        } finally {
            part.release();
        }
    }

    /** What waits for more waits in a buffer of its length. */
    private void tighten() {
        ByteBuf loose = kept;
        kept = null;
        try {
            kept = context.alloc().buffer(loose.readableBytes()).writeBytes(loose);
            isLoose = false;
        } finally {
            loose.release();
        }
    }

    /** TLS takes over, unless the connection is closed; it ends if that fails. */
    void begin() {
        if (context.isRemoved() || !context.channel().isActive()) {
            return;
        }
        if (waits) {
            records.passes();
        }
        try {
            start.begin(context, Math.max(1, timeout.getDelay(TimeUnit.MILLISECONDS)));
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            context.close();
            return;
        }
        ByteBuf first = kept;
        kept = null;
        context.fireChannelRead(first);
        if (!reads) {
            context.fireChannelReadComplete();
        }
        context.pipeline().remove(this);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!isComplete) {
            ctx.read();
        }
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
