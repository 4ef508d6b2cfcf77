package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.write.OutboundBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;

/** A connection's requests that have no complete answer yet, in their order, which is the order that answers leave in. */
final class AnswerQueue {
    /** Of a batch: some answers of the usual length. */
    private static final int CAPACITY = 512;

    private final HttpConnection connection;
    private final LoopState loop;
    private final ByteBufAllocator allocator;
    private final OutboundBatch out;
    private HttpCall first;
    private HttpCall last;
    private int size;

    AnswerQueue(HttpConnection connection, LoopState loop, Channel channel) {
        this.connection = connection;
        this.loop = loop;
        allocator = channel.alloc();
        out = new OutboundBatch(channel, loop.turn(), CAPACITY);
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    boolean isLast(HttpCall call) {
        return call == last;
    }

    /** A place at the end for another request. */
    HttpCall enter() {
        HttpCall call = loop.calls().newCall();
        call.connection = connection;
        call.close = false;
        call.http10 = false;
        call.headOnly = false;
        call.path = RequestPath.Kind.OTHER;
        if (first == null) {
            first = call;
        } else {
            last.next = call;
        }
        last = call;
        size++;
        return call;
    }

    /**
     * Writes the answer of one of the calls, if it is the first, and what waited for it; otherwise keeps it until its turn comes. Calls
     * whose answers are written are free for reuse.
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
        boolean inTurn = call == first;
        ByteBuf to = inTurn ? out.buffer() : allocator.directBuffer(256 + documentLength);
        if (!inTurn) {
            call.answer = to;
        }
        loop.answers().write(to, outcome, json, call, in, attachments, attachmentsLength, document, documentLength);
        if (!inTurn) {
            return;
        }
        leave();
        while (first != null && first.answer != null) {
            out.buffer().writeBytes(first.answer);
            leave();
        }
    }

    /** Writes a leave to send the body, in its turn. */
    void answerContinue() {
        if (first == null) {
            HttpAnswers.writeContinue(out.buffer());
        } else {
            HttpCall call = enter();
            call.answer = allocator.directBuffer(32);
            HttpAnswers.writeContinue(call.answer);
        }
    }

    void flush() {
        out.flush();
    }

    private void leave() {
        HttpCall call = first;
        first = call.next;
        size--;
        loop.calls().free(call);
    }

    /** The client is gone: what is on its way comes back to nobody. */
    void abandon() {
        ByteBuf unsent = out.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
        while (first != null) {
            HttpCall call = first;
            first = call.next;
            call.connection = null;
            call.next = null;
            loop.calls().abandon(call);
        }
    }
}
