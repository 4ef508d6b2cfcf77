package io.dubbomesh.transport.grpc;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

import java.util.function.Consumer;

/** Stands behind TLS: the handler behind it is told of the connection when h2 has been negotiated. */
final class AlpnGate extends ChannelInboundHandlerAdapter {
    private final Consumer<Throwable> failed;
    private final boolean isRequired;
    private boolean open;

    /**
     * @param isRequired whether a server has to choose a protocol
     * @param failed     is called if the connection cannot be used
     */
    AlpnGate(boolean isRequired, Consumer<Throwable> failed) {
        this.isRequired = isRequired;
        this.failed = failed;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        // The handshake has only begun.
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
            return;
        }
        String protocol = ctx.pipeline().get(SslHandler.class).applicationProtocol();
        if (!handshake.isSuccess()) {
            fail(ctx, handshake.cause());
        } else if (protocol == null ? isRequired : !protocol.equals(ApplicationProtocolNames.HTTP_2)) {
            fail(ctx, new GrpcException(GrpcStatus.UNAVAILABLE, "TLS negotiated " + protocol + " (expected: h2)"));
        } else {
            open = true;
            ctx.fireChannelActive();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (open) {
            ctx.fireExceptionCaught(cause);
        } else {
            fail(ctx, cause);
        }
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        failed.accept(cause);
        ctx.close();
    }
}
