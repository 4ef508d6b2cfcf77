package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

import java.util.ArrayDeque;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Takes forms with Netty's HTTP codec, one at a time from each connection, so that the answers keep the order. */
final class NettyHttpServer extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final Callee callee;
    private final ArrayDeque<FullHttpRequest> waiting = new ArrayDeque<>();
    private boolean busy;

    private NettyHttpServer(Callee callee) {
        this.callee = callee;
    }

    static void addTo(Channel channel, Callee callee) {
        channel.pipeline()
                .addLast(new HttpServerCodec(), new HttpObjectAggregator(Form.MAX_BODY), new NettyHttpServer(callee));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (!busy) {
            serve(ctx, request);
            return;
        }
        waiting.add(request.retain());
        ctx.channel().config().setAutoRead(false);
    }

    private void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        busy = true;
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        Answer answer = (outcome, in, offset, length) -> {
            ByteBuf document = ctx.alloc().buffer(length).writeBytes(in, offset, length);
            Hop.to(ctx.executor(), document, () -> respond(ctx, keepAlive, outcome, document));
        };
        ByteBuf arguments = ctx.alloc().buffer();
        try {
            if (!request.decoderResult().isSuccess()) {
                throw new CallException(Outcome.BAD_REQUEST, "no HTTP request");
            }
            Form form = Form.parse(request.content().toString(UTF_8));
            Arguments.write(arguments, form.arguments());
            callee.call(form.name(), arguments, 0, arguments.readableBytes(), answer);
        } catch (CallException e) {
            answer.failed(e.outcome(), e.getMessage());
        } finally {
            arguments.release();
        }
    }

    private void respond(ChannelHandlerContext ctx, boolean keepAlive, Outcome outcome, ByteBuf document) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(outcome.httpStatus()), document);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, document.readableBytes());
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        ctx.writeAndFlush(response, ctx.voidPromise());
        busy = false;
        FullHttpRequest next = waiting.poll();
        if (next != null) {
            ctx.channel().config().setAutoRead(waiting.isEmpty());
            try {
                serve(ctx, next);
            } finally {
                next.release();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        while (!waiting.isEmpty()) {
            waiting.poll().release();
        }
    }
}
