package io.dubbomesh.benchmark.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.AsciiString;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The answers to what one read brought go out together. */
final class HashHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final AsciiString TEXT = AsciiString.cached("text/plain;charset=UTF-8");

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        List<String> parameters = parameters(request);
        FullHttpResponse response = parameters.size() == 1
                ? response(
                        HttpResponseStatus.OK,
                        ByteBufUtil.writeAscii(
                                ctx.alloc(), Integer.toString(parameters.get(0).hashCode())))
                : response(HttpResponseStatus.BAD_REQUEST, Unpooled.EMPTY_BUFFER);
        boolean keepAlive =
                HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
        HttpUtil.setKeepAlive(response, keepAlive);
        ChannelFuture written = ctx.write(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private static List<String> parameters(FullHttpRequest request) {
        if (request.decoderResult().isFailure() || !request.method().equals(HttpMethod.POST)) {
            return List.of();
        }
        // Half of what HttpPostRequestDecoder takes for the same.
        Map<String, List<String>> fields =
                new QueryStringDecoder(request.content().toString(UTF_8), UTF_8, false).parameters();
        return fields.getOrDefault("parameter", List.of());
    }

    private static FullHttpResponse response(HttpResponseStatus status, ByteBuf body) {
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, TEXT)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        return response;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
