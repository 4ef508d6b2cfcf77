package io.dubbomesh.transport.tls;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Stands between the socket and TLS on a connection whose last bytes are written. What still arrives is discarded,
 * since the reset that follows from closing with unread input would destroy those bytes (RFC 9112, 9.6). The connection
 * closes with the peer's end of input or after {@link #LINGER_MS}. Owned by the connection's event loop.
 */
final class LingeringClose extends ChannelDuplexHandler {
    private static final long LINGER_MS = 2000;

    private final Semaphore permits;
    private Future<?> end;

    /** @param permits one of which this has; it is released with the connection */
    LingeringClose(Semaphore permits) {
        this.permits = permits;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        end = ctx.executor().schedule(() -> ctx.close(), LINGER_MS, TimeUnit.MILLISECONDS);
        ctx.channel().config().setAutoRead(true);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end.cancel(false);
        permits.release();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    /** The handlers behind this one have got nothing to read. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {}

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.close();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** TLS would send an alert behind the last bytes. */
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        ReferenceCountUtil.release(message);
        promise.tryFailure(new ClosedChannelException());
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        ctx.channel().closeFuture().addListener(closed -> promise.trySuccess());
    }
}
