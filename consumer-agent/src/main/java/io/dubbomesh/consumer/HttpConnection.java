package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/**
 * A client's connection. Requests are taken from it as long as the client reads its answers, and are answered in their order. Owned by the
 * channel's event loop.
 * <pre>
 *   OPEN ----> ENDING ----> FLUSHING ----> LINGERING ----> CLOSED
 *
 *   OPEN      takes requests                    to ENDING with the last of them ("Connection: close", a malformed one, one that
 *                                               takes too long), with the client's end of input, or with a shutdown
 *   ENDING    some answers are missing          to FLUSHING with the last one
 *   FLUSHING  some bytes are not written yet    to LINGERING when they are
 *   LINGERING discards what still arrives, so   to CLOSED with the client's end of input or after LINGER_NS
 *             that a reset does not destroy
 *             the answer (RFC 9112, 9.6)
 * </pre>
 * From each state to CLOSED when the channel closes, and when the client makes no progress for too long: see {@link #checkTimeout}.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final long NS_PER_S = 1_000_000_000;
    private static final long LINGER_NS = 2 * NS_PER_S;

    private enum State {
        OPEN,
        ENDING,
        FLUSHING,
        LINGERING,
        CLOSED
    }

    private final LoopState loop;
    private final ConsumerSettings settings;
    private final RequestInput input;
    private final WriteProgress writes = new WriteProgress();
    private AnswerQueue answers;
    private Channel channel;
    private State state = State.OPEN;
    /** The client sends nothing more. */
    private boolean inputEnded;
    /** Guards against parsing within parsing, when a request is answered at once. */
    private boolean parsing;
    /** Whether the body is what is missing of the current request. */
    private boolean inBody;
    /** When the last bytes were read. */
    private long readNs;
    /** When the client was last given something to wait for less: an answer, a state, the start of a head or body. */
    private long waitingSinceNs;

    HttpConnection(LoopState loop) {
        this.loop = loop;
        settings = loop.settings();
        input = new RequestInput(loop);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        answers = new AnswerQueue(this, loop, channel);
        waitingSinceNs = System.nanoTime();
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (!loop.add(this)) {
            refuse(answers.enter(), Outcome.OVERLOADED, "too many connections");
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
            waitingSinceNs = readNs;
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
        boolean allIsParsed = state == State.OPEN && mayTakeMore();
        if (inputEnded && allIsParsed) {
            state = State.ENDING;
        }
        if (state != State.OPEN) {
            input.dropRest();
        }
        input.settle(channel.alloc());
        setReading(state != State.OPEN || mayTakeMore());
        endIfAnswered();
    }

    private void setReading(boolean wanted) {
        if (wanted != channel.config().isAutoRead()) {
            channel.config().setAutoRead(wanted);
        }
    }

    private boolean mayTakeMore() {
        return answers.size() < settings.maxPipelined() && channel.isWritable();
    }

    /** Returns whether there may be another request in what has arrived. */
    private boolean parseOne(long nowNs) {
        switch (input.parse()) {
            case NEED_DATA -> {
                if (!inBody && input.isInBody()) {
                    inBody = true;
                    waitingSinceNs = nowNs;
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

    /** Answers what is not a complete request; nothing behind it is parsed. */
    private void refuse(HttpCall call, Outcome outcome, String detail) {
        call.close = true;
        state = State.ENDING;
        answer(call, outcome, detail);
    }

    private void request(HttpRequestParser request, long nowNs) {
        inBody = false;
        waitingSinceNs = nowNs;
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

    /** The client waits for permission to send the body: a request that is refused anyway is refused now. */
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
        if (state == State.OPEN
                && (input.hasRest() || inputEnded || !channel.config().isAutoRead())) {
            parse(System.nanoTime());
        } else {
            endIfAnswered();
        }
    }

    /** Writes what is left and ends the connection if no answer is missing. */
    private void endIfAnswered() {
        if (state != State.ENDING || !answers.isEmpty() || parsing) {
            return;
        }
        state = State.FLUSHING;
        answers.flush();
        setReading(true);
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(written -> {
            if (written.isSuccess() && !inputEnded) {
                linger();
            } else {
                channel.close();
            }
        });
    }

    private void linger() {
        state = State.LINGERING;
        waitingSinceNs = System.nanoTime();
        ((DuplexChannel) channel).shutdownOutput();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            switch (state) {
                case OPEN -> parse(System.nanoTime());
                case LINGERING -> channel.close();
                // The answers are still owed; the connection closes when they are written.
                case ENDING, FLUSHING, CLOSED -> {}
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable() && state == State.OPEN) {
            parse(System.nanoTime());
        }
    }

    /**
     * Ends a wait for the client that has lasted too long; called every half second. What counts is progress: each byte that the client
     * reads starts the time for answers anew, and what it sends of a body lengthens the time for the body.
     */
    void checkTimeout(long nowNs) {
        if (writes.isPending(channel, nowNs)) {
            waitingSinceNs = nowNs;
            if (writes.stalledNs(nowNs) > settings.writeTimeoutNs()) {
                channel.close();
            }
        } else if (!answers.isEmpty()) {
            // It is the client who waits.
            waitingSinceNs = nowNs;
        } else if (nowNs - waitingSinceNs > longestWaitNs()) {
            if (state == State.OPEN && !input.isIdle()) {
                refuse(answers.enter(), Outcome.REQUEST_TIMEOUT, "no complete request in time");
            } else {
                channel.close();
            }
        }
    }

    private long longestWaitNs() {
        return switch (state) {
            case OPEN -> longestRequestNs();
            case LINGERING -> LINGER_NS;
            case ENDING, FLUSHING -> settings.writeTimeoutNs();
            case CLOSED -> Long.MAX_VALUE;
        };
    }

    private long longestRequestNs() {
        if (input.isIdle()) {
            return settings.idleTimeoutNs();
        }
        return input.isInBody()
                ? settings.bodyTimeoutNs() + input.bodyBytes() * NS_PER_S / settings.minBodyRate()
                : settings.headTimeoutNs();
    }

    /** Whether the client is owed nothing: no answer, no byte of one, and no answer to a request that it is sending. */
    boolean isQuiet() {
        return switch (state) {
            case OPEN -> answers.isEmpty() && input.isIdle() && !WriteProgress.hasUnwritten(channel);
            case ENDING, FLUSHING -> false;
            case LINGERING, CLOSED -> true;
        };
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
