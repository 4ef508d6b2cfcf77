package io.dubbomesh.client.call;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;

/**
 * One of the {@link LongAnswers}: the copy of a Dubbo frame, and the document that is made of it. Owns both buffers,
 * and what the budget has for them.
 */
final class LongAnswer {
    private final LongAnswers.Listener listener;
    private final ResultFormat format;
    private final DeclaredType declared;
    private final ByteBuf frame;
    private final ByteBuf document;
    private final DubboResponseReader reader;
    private final MemoryBudget memory;
    private final int length;

    LongAnswer(
            LongAnswers.Listener listener,
            ResultFormat format,
            DeclaredType declared,
            ByteBuf frame,
            ByteBuf document,
            DubboResponseReader reader,
            MemoryBudget memory) {
        this.listener = listener;
        this.format = format;
        this.declared = declared;
        this.frame = frame;
        this.document = document;
        this.reader = reader;
        this.memory = memory;
        length = frame.readableBytes();
    }

    boolean isAwaited() {
        return listener.isAwaited();
    }

    /** Drops the answer, on the loop, instead of {@link #read}. */
    void drop() {
        release();
        listener.discarded();
    }

    /** Fails the answer, on the loop, instead of {@link #read}. */
    void fail(Throwable cause) {
        release();
        listener.readFailed(cause);
    }

    private void release() {
        memory.release(Use.ANSWERS, length);
        frame.release();
        document.release();
    }

    /**
     * Reads the answer, beside the loop.
     *
     * @return to be run on the loop, or else {@link #discard} is to be called
     */
    Runnable read() {
        try {
            document.ensureWritable(length);
            Outcome outcome = reader.read(frame, 0, format, declared, document);
            return () -> notifyListener(() -> listener.read(outcome, document));
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            return () -> notifyListener(() -> listener.readFailed(e));
        } finally {
            frame.release();
        }
    }

    private void notifyListener(Runnable notification) {
        memory.release(Use.ANSWERS, length);
        try {
            notification.run();
        } finally {
            document.release();
        }
    }

    /** Releases an answer that was read when the loop has ended. */
    void discard() {
        document.release();
    }
}
