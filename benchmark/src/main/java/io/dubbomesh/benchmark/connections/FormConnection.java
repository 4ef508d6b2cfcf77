package io.dubbomesh.benchmark.connections;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** One connection with one call at a time; a call that is due earlier waits for the answer before it. Owned by the event loop. */
final class FormConnection extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final List<FormCall> calls;
    private final Queue<Long> waitingDueNs = new ArrayDeque<>(0);
    private int next;
    private ChannelHandlerContext ctx;
    private Phase phase;
    /** Null while there is none. */
    private FormCall inFlight;

    private long dueNs;

    /** @param first which of the calls to begin with */
    FormConnection(List<FormCall> calls, int first) {
        this.calls = calls;
        next = first % calls.size();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
    }

    /** Tells {@code phase} how the call ends, once: answered or lost. */
    void call(Phase caller, long callDueNs) {
        assert ctx.executor().inEventLoop();
        phase = caller;
        if (!ctx.channel().isActive()) {
            phase.lost(1);
        } else if (inFlight != null) {
            waitingDueNs.add(callDueNs);
        } else {
            send(callDueNs);
        }
    }

    private void send(long callDueNs) {
        inFlight = calls.get(next);
        next = (next + 1) % calls.size();
        dueNs = callDueNs;
        ctx.writeAndFlush(inFlight.request().duplicate(), ctx.voidPromise());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
        if (inFlight == null) {
            context.close();
            return;
        }
        FormCall call = inFlight;
        inFlight = null;
        if (response.decoderResult().isFailure() || response.status().code() != HttpResponseStatus.OK.code()) {
            phase.answeredWithBadStatus(dueNs);
        } else if (!ByteBufUtil.equals(response.content(), call.answer())) {
            phase.answeredWrongly(dueNs);
        } else {
            phase.answered(dueNs);
        }
        if (!waitingDueNs.isEmpty()) {
            send(waitingDueNs.remove());
        }
    }

    /** Closes the connection if it has calls that were not answered; they are not told to the phase any more. */
    void giveUp() {
        if (inFlight != null) {
            forgetCalls();
            ctx.close();
        }
    }

    private int forgetCalls() {
        int count = waitingDueNs.size() + (inFlight == null ? 0 : 1);
        inFlight = null;
        waitingDueNs.clear();
        return count;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        int count = forgetCalls();
        if (count > 0) {
            phase.lost(count);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
