package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.consumer.FormReader;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Takes forms with the consumer agent's parsers, one at a time from each connection, so that the answers keep the order. */
final class OwnHttpServer extends ChannelInboundHandlerAdapter {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] OK = head(Outcome.OK);
    private static final byte[] CLOSE = "\r\nConnection: close".getBytes(US_ASCII);
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(US_ASCII);

    private final Channel channel;
    private final Callee callee;
    private final FormReader reader;
    /** What has come and is not parsed; null for nothing. */
    private ByteBuf rest;

    private boolean parsing;
    /** Whether a request has no answer yet, or nothing is to come behind its answer. */
    private boolean busy;

    private OwnHttpServer(Channel channel, Callee callee) {
        this.channel = channel;
        this.callee = callee;
        reader = new FormReader(channel.alloc());
    }

    static void addTo(Channel channel, Callee callee) {
        channel.pipeline().addLast(new OwnHttpServer(channel, callee));
    }

    private static byte[] head(Outcome outcome) {
        return ("HTTP/1.1 " + outcome.httpStatus() + ' ' + outcome.title()
                        + "\r\nContent-Type: text/plain\r\nContent-Length: ")
                .getBytes(US_ASCII);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (rest == null) {
            rest = in;
        } else {
            rest.writeBytes(in);
            in.release();
        }
        parse();
    }

    private void parse() {
        if (parsing) {
            return;
        }
        parsing = true;
        try {
            boolean more = true;
            while (more && !busy && rest != null) {
                more = parseOne();
            }
        } finally {
            parsing = false;
        }
        if (rest != null && !rest.isReadable()) {
            dropRest();
        }
        boolean wanted = !busy || rest == null;
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    /** Returns whether there may be another request in what has come. */
    private boolean parseOne() {
        switch (reader.parse(rest)) {
            case NEED_DATA -> {
                return false;
            }
            case CONTINUE -> channel.writeAndFlush(channel.alloc().buffer().writeBytes(CONTINUE));
            case REQUEST -> serve(answer(reader.keepAlive()));
            case FAILED -> {
                busy = true;
                CallException failure = reader.failure();
                answer(false).failed(failure.outcome(), failure.getMessage());
            }
        }
        return true;
    }

    private void serve(Answer answer) {
        busy = true;
        ByteBuf arguments = channel.alloc().buffer();
        try {
            MethodName name = reader.readCall(arguments);
            callee.call(name, arguments, 0, arguments.readableBytes(), answer);
        } catch (CallException e) {
            answer.failed(e.outcome(), e.getMessage());
        } finally {
            arguments.release();
        }
    }

    private Answer answer(boolean keepAlive) {
        return (outcome, in, offset, length) -> {
            ByteBuf out = channel.alloc().directBuffer(128 + length);
            out.writeBytes(outcome == Outcome.OK ? OK : head(outcome));
            out.writeCharSequence(Integer.toString(length), US_ASCII);
            if (!keepAlive) {
                out.writeBytes(CLOSE);
            }
            out.writeBytes(END_OF_HEAD).writeBytes(in, offset, length);
            Hop.to(channel.eventLoop(), out, () -> respond(out, keepAlive));
        };
    }

    private void respond(ByteBuf out, boolean keepAlive) {
        if (!keepAlive) {
            channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        channel.writeAndFlush(out, channel.voidPromise());
        busy = false;
        if (rest != null) {
            parse();
        }
    }

    private void dropRest() {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        busy = true;
        dropRest();
        reader.close();
    }
}
