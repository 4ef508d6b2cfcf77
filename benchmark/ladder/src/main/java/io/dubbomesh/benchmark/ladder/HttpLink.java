package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringEncoder;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/**
 * Forms over HTTP/1.1 to a provider agent. A connection has one call under way; there are as many as there were calls at once. The idle
 * ones are owned by the event loop, though calls may come from any thread.
 */
final class HttpLink implements Callee {
    private final Connector connector;
    private final InetSocketAddress address;
    private final String host;
    private final ArrayDeque<Exchange> idle = new ArrayDeque<>();

    HttpLink(Connector connector, InetSocketAddress address) {
        this.connector = connector;
        this.address = address;
        host = address.getHostString() + ':' + address.getPort();
    }

    @Override
    public void call(MethodName name, ByteBuf in, int offset, int length, Answer answer) {
        String form;
        try {
            form = form(name, in, offset, length);
        } catch (CallException e) {
            answer.failed(e.outcome(), e.getMessage());
            return;
        }
        if (connector.loop().inEventLoop()) {
            send(form, answer);
        } else {
            connector.loop().execute(() -> send(form, answer));
        }
    }

    private static String form(MethodName name, ByteBuf in, int offset, int length) throws CallException {
        QueryStringEncoder form = new QueryStringEncoder("");
        form.addParam(Form.INTERFACE, name.service());
        form.addParam(Form.METHOD, name.method());
        form.addParam(Form.TYPES, name.descriptor());
        form.addParam(Form.VERSION, name.version());
        form.addParam(Form.GROUP, name.group());
        for (String argument : Arguments.read(in, offset, length)) {
            form.addParam(Form.PARAMETER, argument);
        }
        return form.toString().substring(1);
    }

    private void send(String form, Answer answer) {
        Exchange exchange = idle.pollLast();
        if (exchange != null) {
            exchange.send(form, answer);
            return;
        }
        Exchange opened = new Exchange();
        connector
                .connect(
                        address,
                        channel -> channel.pipeline()
                                .addLast(
                                        new HttpClientCodec(),
                                        new HttpObjectAggregator(Form.MAX_BODY),
                                        new IdleStateHandler(0, 0, Connection.TIMEOUT_S),
                                        opened))
                .addListener(connected -> {
                    if (connected.isSuccess()) {
                        opened.send(form, answer);
                    } else {
                        answer.failed(Outcome.NO_PROVIDER, connected.cause().getMessage());
                    }
                });
    }

    /** A connection; idle while it has no answer to give. */
    private final class Exchange extends SimpleChannelInboundHandler<FullHttpResponse> {
        private ChannelHandlerContext ctx;
        private Answer answer;

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            ctx = added;
        }

        void send(String form, Answer to) {
            answer = to;
            FullHttpRequest request = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1, HttpMethod.POST, "/", ByteBufUtil.writeAscii(ctx.alloc(), form));
            request.headers()
                    .set(HttpHeaderNames.HOST, host)
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_X_WWW_FORM_URLENCODED)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, request.content().readableBytes());
            ctx.channel().writeAndFlush(request).addListener(written -> {
                if (!written.isSuccess()) {
                    fail();
                }
            });
        }

        @Override
        protected void channelRead0(ChannelHandlerContext read, FullHttpResponse response) {
            Answer to = answer;
            if (to == null) {
                read.close();
                return;
            }
            answer = null;
            if (HttpUtil.isKeepAlive(response)) {
                idle.add(this);
            } else {
                read.close();
            }
            ByteBuf document = response.content();
            Outcome outcome = response.status().equals(HttpResponseStatus.OK) ? Outcome.OK : Outcome.PROVIDER_ERROR;
            to.completed(outcome, document, document.readerIndex(), document.readableBytes());
        }

        /** Nothing was read or written for a while, which for a call under way is too long. */
        @Override
        public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
            if (event instanceof IdleStateEvent) {
                triggered.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
            failed.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext gone) {
            idle.remove(this);
            fail();
        }

        private void fail() {
            if (answer != null) {
                Answer to = answer;
                answer = null;
                to.failed(
                        Outcome.PROVIDER_ERROR,
                        host + ": connection lost, or no answer in " + Connection.TIMEOUT_S + " s");
            }
        }
    }
}
