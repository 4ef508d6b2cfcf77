package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.netty.buffer.ByteBuf;
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
    private final RequestInput input;
    private AnswerQueue answers;
    private Channel channel;
    private State state = State.OPEN;
    private boolean reading = true;
    private boolean inputEnded;
    private boolean lingerAfterAnswers;
    private boolean parsing;
    /** When the current wait began: for a request, for the rest of one, for the client to read, or to go. */
    private long sinceNs;

    /** When the last bytes were read. */
    private long readNs;

    private boolean inBody;

    HttpConnection(LoopState loop) {
        this.loop = loop;
        settings = loop.settings();
        input = new RequestInput(loop);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        answers = new AnswerQueue(this, loop, channel);
        sinceNs = System.nanoTime();
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (!loop.add(this)) {
            HttpCall call = answers.enter();
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
        readNs = System.nanoTime();
        if (input.isIdle()) {
            sinceNs = readNs;
        }
        input.append(in);
        parse(readNs);
    }

    private void parse(long nowNs) {
        if (parsing) {
            return;
        }
        parsing = true;
        try {
            while (state == State.OPEN && input.hasRest() && mayTakeMore()) {
                if (!parseOne(nowNs)) {
                    break;
                }
            }
        } finally {
            parsing = false;
        }
        if (state != State.OPEN) {
            input.dropRest();
        }
        input.settle(channel.alloc());
        if (inputEnded && state == State.OPEN && mayTakeMore()) {
            input.dropRest();
            if (answers.isEmpty()) {
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

    private boolean mayTakeMore() {
        return answers.size() < settings.maxPipelined() && channel.isWritable();
    }

    /** Returns whether there may be another request in what has come. */
    private boolean parseOne(long nowNs) {
        switch (input.parse()) {
            case NEED_DATA -> {
                if (!inBody && input.isInBody()) {
                    inBody = true;
                    sinceNs = nowNs;
                }
                return false;
            }
            case CONTINUE -> expected();
            case FAILED ->
                refuse(answers.enter(), input.parser().failure(), input.parser().detail());
            case REQUEST -> request(input.parser(), nowNs);
        }
        return true;
    }

    /** Answers what is no complete request; nothing behind it is parsed. */
    private void refuse(HttpCall call, Outcome outcome, String detail) {
        call.close = true;
        state = State.ENDING;
        lingerAfterAnswers = true;
        answer(call, outcome, detail);
    }

    private void request(HttpRequestParser request, long nowNs) {
        inBody = false;
        sinceNs = nowNs;
        loop.requested(nowNs);
        HttpCall call = answers.enter();
        call.of(request);
        if (call.close) {
            state = State.ENDING;
        }
        try {
            CallRules.check(request, settings);
            loop.calls().send(call, request, readNs, nowNs);
        } catch (CallException e) {
            answer(call, e.outcome(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("a request could not be sent on", e);
            answer(call, Outcome.INTERNAL_ERROR, "a fault of the consumer agent; its log has the details");
        }
    }

    /** The client waits for leave to send the body: a request that is refused anyway is refused now. */
    private void expected() {
        try {
            CallRules.check(input.parser(), settings);
        } catch (CallException e) {
            HttpCall call = answers.enter();
            call.of(input.parser());
            refuse(call, e.outcome(), e.getMessage());
            return;
        }
        answers.answerContinue();
    }

    /** Answers with a problem that was found on this side. */
    void answer(HttpCall call, Outcome outcome, String detail) {
        ByteBuf document = loop.scratch().clear();
        Problem.write(document, outcome, detail);
        answer(call, outcome, true, document, 0, 0, 0, document.writerIndex());
    }

    /** Answers one of this connection's calls, in its turn; the call is free for reuse afterwards. */
    void answer(
            HttpCall call,
            Outcome outcome,
            boolean json,
            ByteBuf in,
            int attachments,
            int attachmentsLength,
            int document,
            int documentLength) {
        if (loop.isDraining() && answers.isLast(call) && !input.hasMore() && state == State.OPEN) {
            call.close = true;
            state = State.ENDING;
        }
        answers.answer(call, outcome, json, in, attachments, attachmentsLength, document, documentLength);
        if (answers.isEmpty() && state == State.ENDING) {
            end();
        } else if (input.hasRest() || inputEnded || !reading) {
            parse(System.nanoTime());
        }
    }

    /** All is answered and nothing more will be taken. */
    private void end() {
        answers.flush();
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
                parse(System.nanoTime());
            } else if (answers.isEmpty()) {
                channel.close();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sinceNs = System.nanoTime();
        if (channel.isWritable() && state == State.OPEN) {
            parse(System.nanoTime());
        }
    }

    /** Ends a wait that has lasted too long; called now and then. */
    void check(long nowNs) {
        if (nowNs - sinceNs > longestWaitNs()) {
            if (state == State.OPEN && channel.isWritable() && !input.isIdle()) {
                refuse(answers.enter(), Outcome.REQUEST_TIMEOUT, "no complete request in time");
            } else {
                channel.close();
            }
        }
    }

    private long longestWaitNs() {
        if (state == State.LINGERING) {
            return LINGER_NS;
        }
        if (!channel.isWritable()) {
            return settings.writeTimeoutNs();
        }
        if (state != State.OPEN || !answers.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (input.isIdle()) {
            return settings.idleTimeoutNs();
        }
        return input.isInBody() ? settings.bodyTimeoutNs() : settings.headTimeoutNs();
    }

    void close() {
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.CLOSED;
        loop.remove(this);
        input.close();
        answers.abandon();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("connection {}", channel, cause);
        }
        ctx.close();
    }
}
