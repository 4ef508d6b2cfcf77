package io.dubbomesh.provider.mesh;

import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.runtime.FatalErrors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A mesh connection that is not served: its peer gets a GOAWAY with the reason. It is closed when the peer's HELLO has
 * come, since closing a socket with unread bytes resets it and the reason could be lost, or after a time. With TLS the
 * GOAWAY follows the handshake.
 */
public final class RefusedConnection extends ChannelInboundHandlerAdapter {
    private final String reason;
    private final long maxWaitMs;
    private Future<?> end;

    public RefusedConnection(String reason, long maxWaitMs) {
        this.reason = reason;
        this.maxWaitMs = maxWaitMs;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ByteBuf goAway = ctx.alloc().buffer();
        FrameWriter.goAway(goAway, reason);
        ctx.writeAndFlush(goAway);
        end = ctx.executor().schedule(() -> ctx.close(), maxWaitMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (end != null) {
            end.cancel(false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        FatalErrors.check(cause);
        ctx.close();
    }
}
