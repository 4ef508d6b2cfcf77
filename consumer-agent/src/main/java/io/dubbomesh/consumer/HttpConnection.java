package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.dubbomesh.transport.OutboundBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/**
 * A client's connection: requests are taken from it as long as it reads its answers, and answered in their order. Owned by the channel's
 * event loop.
 * <pre>
 *   OPEN --answer with "Connection: close" or end of input--> ENDING --all answered--> CLOSED
 *     \\--error of framing--> ENDING --answered--> LINGERING --end of input or 2 s--> CLOSED
 * </pre>
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    /** How long what a client still sends is thrown away, so that a reset does not take the answer from it (RFC 9112, 9.6). */
    private static final long LINGER_NS = 2_000_000_000L;

    private enum State {
        OPEN,
        ENDING,
        LINGERING,
        CLOSED
    }

    private final LoopState loop;
    private final ConsumerSettings settings;
    private final HttpRequestParser parser;
    private Channel channel;
    private OutboundBatch out;
    private State state = State.OPEN;
    /** What has come and is not parsed; null for nothing. */
    private ByteBuf rest;

    private boolean reading = true;
    private boolean inputEnded;
    private boolean lingerAfterAnswers;
    private boolean parsing;
    /** Requests without a complete answer, in their order. */
    private HttpCall first;

    private HttpCall last;
    private int unanswered;

    /** When the current wait began: for a request, for the rest of one, for the client to read, or to go. */
    private long sinceNs;

    /** When what is being parsed was read. */
    private long nowNs;

    private boolean inBody;
    private boolean unwritable;

    HttpConnection(LoopState loop) {
        this.loop = loop;
        this.settings = loop.settings();
        this.parser = new HttpRequestParser(settings.httpLimits(), PooledByteBufAllocator.DEFAULT);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        out = new OutboundBatch(channel, loop.turn(), 512);
        sinceNs = System.nanoTime();
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (!loop.add(this)) {
            HttpCall call = enter();
            call.close = true;
            state = State.ENDING;
            answer(call, Outcome.OVERLOADED, "too many connections");
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (state != State.OPEN) {
            in.release();
            return;
        }
        nowNs = System.nanoTime();
        if (rest == null) {
            if (!parser.inRequest()) {
                sinceNs = nowNs;
            }
            rest = in;
            parse();
            keepRest();
        } else {
            if (rest.writableBytes() < in.readableBytes()) {
                rest.discardReadBytes();
            }
            rest.writeBytes(in);
            in.release();
            parse();
        }
    }

    /** What is left of a read is copied, since its buffer is everybody's. */
    private void keepRest() {
        if (rest != null && rest.refCnt() > 1) {
            ByteBuf shared = rest;
            rest = channel.alloc().directBuffer(shared.readableBytes() + 512).writeBytes(shared);
            shared.release();
        }
    }

    private void parse() {
        if (parsing) {
            return;
        }
        parsing = true;
        try {
            while (state == State.OPEN && rest != null && mayTakeMore()) {
                if (!parseOne()) {
                    break;
                }
            }
        } finally {
            parsing = false;
        }
        if (rest != null && (state != State.OPEN || !rest.isReadable())) {
            dropRest();
        }
        if (inputEnded && state == State.OPEN && mayTakeMore()) {
            dropRest();
            if (first == null) {
                end();
            }
        }
        setReading(state != State.OPEN || mayTakeMore());
    }

    private void setReading(boolean wanted) {
        if (wanted != reading) {
            reading = wanted;
            channel.config().setAutoRead(wanted);
        }
    }

    private void dropRest() {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    private boolean mayTakeMore() {
        return unanswered < settings.maxPipelined() && channel.isWritable();
    }

    /** Returns whether there may be another request in what has come. */
    private boolean parseOne() {
        switch (parser.parse(rest)) {
            case NEED_DATA -> {
                if (!inBody && parser.inBody()) {
                    inBody = true;
                    sinceNs = nowNs;
                }
                return false;
            }
            case CONTINUE -> expected();
            case FAILED -> refuse(parser.failure(), parser.detail());
            case REQUEST -> request();
        }
        return rest != null;
    }

    /** Answers what is no complete request; nothing behind it is parsed. */
    private void refuse(Outcome outcome, String detail) {
        HttpCall call = enter();
        call.close = true;
        state = State.ENDING;
        lingerAfterAnswers = true;
        answer(call, outcome, detail);
    }

    private void request() {
        inBody = false;
        sinceNs = nowNs;
        loop.requested(nowNs);
        HttpCall call = enter();
        call.close = !parser.keepAlive();
        call.http10 = parser.isHttp10();
        call.headOnly = parser.method().equals("HEAD");
        if (call.close) {
            state = State.ENDING;
        }
        try {
            check();
            loop.calls().send(call, parser, nowNs);
        } catch (CallException e) {
            answer(call, e.outcome(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("a request could not be sent on", e);
            answer(call, Outcome.INTERNAL_ERROR, "a fault of the consumer agent; its log has the details");
        }
    }

    private void check() throws CallException {
        if (!parser.isRoot()) {
            throw new CallException(Outcome.NOT_FOUND, "no such path (expected: POST /)");
        }
        if (!parser.isPost()) {
            throw new CallException(Outcome.METHOD_NOT_ALLOWED, "a call is a POST");
        }
        if (parser.rejection() != null) {
            throw new CallException(parser.rejection(), parser.rejectionDetail());
        }
        if (parser.hasContentEncoding()) {
            throw new CallException(Outcome.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding (expected: none)");
        }
        if (parser.contentType() != ContentType.FORM) {
            throw new CallException(
                    Outcome.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type (expected: application/x-www-form-urlencoded, charset absent or UTF-8)");
        }
        long timeoutMs = parser.timeoutMillis();
        if (timeoutMs < 0 || timeoutMs > settings.maxRequestTimeoutMs()) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "X-Request-Timeout (expected: whole milliseconds, 1 to " + settings.maxRequestTimeoutMs() + ")");
        }
    }

    /** The client waits for leave to send the body: a request that is refused anyway is refused now. */
    private void expected() {
        try {
            check();
        } catch (CallException e) {
            refuse(e.outcome(), e.getMessage());
            return;
        }
        if (first == null) {
            HttpAnswers.writeContinue(out.buffer());
            return;
        }
        HttpCall call = enter();
        call.answer = channel.alloc().directBuffer(32);
        HttpAnswers.writeContinue(call.answer);
    }

    /** A place at the end of the order of answers. */
    private HttpCall enter() {
        HttpCall call = loop.calls().newCall();
        call.connection = this;
        call.close = false;
        call.http10 = false;
        call.headOnly = false;
        if (first == null) {
            first = call;
        } else {
            last.next = call;
        }
        last = call;
        unanswered++;
        return call;
    }

    /** Answers with a problem that was found on this side. */
    void answer(HttpCall call, Outcome outcome, String detail) {
        ByteBuf document = loop.scratch().clear();
        Problem.write(document, outcome, detail);
        answer(call, outcome, true, document, 0, 0, 0, document.writerIndex());
    }

    /**
     * Answers one of this connection's calls, in its turn: at once if it is the first, otherwise when those before it are answered. The call
     * is free for reuse afterwards.
     */
    void answer(
            HttpCall call,
            Outcome outcome,
            boolean json,
            ByteBuf in,
            int attachments,
            int attachmentsLength,
            int document,
            int documentLength) {
        if (loop.isDraining() && call == last && rest == null && state == State.OPEN) {
            call.close = true;
            state = State.ENDING;
        }
        if (call != first) {
            call.answer = channel.alloc().directBuffer(256 + documentLength);
            loop.answers()
                    .write(
                            call.answer,
                            outcome,
                            json,
                            call,
                            in,
                            attachments,
                            attachmentsLength,
                            document,
                            documentLength);
            return;
        }
        loop.answers()
                .write(out.buffer(), outcome, json, call, in, attachments, attachmentsLength, document, documentLength);
        leave(call);
        while (first != null && first.answer != null) {
            out.buffer().writeBytes(first.answer);
            leave(first);
        }
        if (first == null && state == State.ENDING) {
            end();
        } else if (rest != null || inputEnded || !reading) {
            parse();
        }
    }

    private void leave(HttpCall call) {
        first = call.next;
        unanswered--;
        loop.calls().free(call);
    }

    /** All is answered and nothing more will be taken. */
    private void end() {
        out.flush();
        if (lingerAfterAnswers && !inputEnded) {
            state = State.LINGERING;
            sinceNs = System.nanoTime();
            setReading(true);
            ((DuplexChannel) channel).shutdownOutput();
        } else {
            state = State.CLOSED;
            channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            if (state == State.OPEN) {
                parse();
            } else if (first == null) {
                channel.close();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        unwritable = !channel.isWritable();
        sinceNs = System.nanoTime();
        if (!unwritable && state == State.OPEN) {
            parse();
        }
    }

    /** Ends waits that have lasted too long; called now and then. */
    void check(long nowNs) {
        long waitedNs = nowNs - sinceNs;
        if (state == State.LINGERING) {
            closeAfter(waitedNs, LINGER_NS);
        } else if (unwritable) {
            closeAfter(waitedNs, settings.writeTimeoutNs());
        } else if (state == State.OPEN && first == null) {
            checkRequest(nowNs, waitedNs);
        }
    }

    private void checkRequest(long nowNs, long waitedNs) {
        if (rest == null && !parser.inRequest()) {
            closeAfter(waitedNs, settings.idleTimeoutNs());
        } else if (waitedNs > (parser.inBody() ? settings.bodyTimeoutNs() : settings.headTimeoutNs())) {
            refuse(Outcome.REQUEST_TIMEOUT, "no complete request in time");
        }
    }

    private void closeAfter(long waitedNs, long limitNs) {
        if (waitedNs > limitNs) {
            channel.close();
        }
    }

    void close() {
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.CLOSED;
        loop.remove(this);
        ByteBuf unsent = out.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
        dropRest();
        parser.close();
        abandonCalls();
    }

    /** The client is gone: what is on its way comes back to nobody. */
    private void abandonCalls() {
        while (first != null) {
            HttpCall call = first;
            first = call.next;
            call.connection = null;
            call.next = null;
            loop.calls().abandon(call);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("connection {}", channel, cause);
        }
        ctx.close();
    }
}
