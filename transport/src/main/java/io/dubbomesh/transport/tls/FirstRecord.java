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
 * <pre>
 *   INCOMPLETE --the record is complete--> WAITING --begin--> TLS, and this is removed
 *        `------the record is complete, and TLS may begin------^
 *   each --timeout, end of the input, failure--> the connection is closed
 * </pre>
 */
final class FirstRecord extends ChannelInboundHandlerAdapter {
    enum State {
        INCOMPLETE,
        /** Complete: nothing more is read, and its bytes count as kept until TLS begins. */
        WAITING
    }

    private final TlsRecords records;
    private final long timeoutMs;
    private final TlsStart start;
    private ChannelHandlerContext context;
    /** The bytes that have arrived; null if there are none. */
    private ByteBuf kept;
    /** Whether {@link #kept} is as long as a read may be, not as long as what it holds. */
    private boolean isLoose;

    private State state = State.INCOMPLETE;

    private ScheduledFuture<?> timeout;

    /** Starts TLS. */
    interface TlsStart {
        /**
         * Called when the record is complete.
         *
         * @return whether TLS may begin now; otherwise {@link FirstRecord#begin} is to be called in a later task
         */
        boolean request();

        /**
         * Adds TLS behind this handler.
         *
         * @param leftMs for the rest of the handshake, at least 1
         */
        void begin(ChannelHandlerContext firstRecord, long leftMs);

        /** Called when the time is over: the connection is closed. */
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

    State state() {
        return state;
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

    /** Passes nothing on: the handlers behind get this event when the handshake is done. */
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        keep((ByteBuf) message);
        if (state == State.INCOMPLETE && !records.isFirstIncomplete()) {
            if (start.request()) {
                // Within the read: the end of the input may be the next event, and TLS has to answer before it.
                begin();
                return;
            }
            state = State.WAITING;
        }
        if (isLoose || state == State.WAITING) {
            tighten();
        }
        if (state == State.WAITING) {
            records.holdBack(kept.capacity());
        }
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

    /** Moves what is kept into a buffer of its length. */
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

    /** Has TLS take over, unless the connection is closed; it ends if that fails. */
    void begin() {
        if (context.isRemoved() || !context.channel().isActive()) {
            return;
        }
        if (state == State.WAITING) {
            records.endHoldBack();
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
        if (state == State.WAITING) {
            context.fireChannelReadComplete();
        }
        context.pipeline().remove(this);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (state == State.INCOMPLETE) {
            ctx.read();
        }
    }

    /** Passes nothing on: the handlers behind have not had the connection either. */
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
