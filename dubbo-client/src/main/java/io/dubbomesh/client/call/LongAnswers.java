package io.dubbomesh.client.call;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;

import java.util.ArrayDeque;

/**
 * The answers of one provider that would hold up the event loop, in the order in which they came, until the
 * {@link LongAnswerThread} turns them into documents. Owned by the loop: it copies an answer, and passes the document
 * on.
 */
public final class LongAnswers {
    /** Gets the end of one long answer, once, on the event loop. */
    interface Listener {
        /** Returns whether a peer waits for the answer; if not when its turn comes, it is dropped. */
        boolean isAwaited();

        /** @param document see {@link DubboResponseReader#read}; valid during the call only */
        void read(Outcome outcome, ByteBuf document);

        /** Called when it could not be read, which is a fault of this agent. */
        void readFailed(Throwable cause);

        /** Called when it was not read, as no peer waits for it. */
        void discarded();
    }

    private static final int INITIAL_CAPACITY = 256;

    private final LongAnswerThread thread;
    private final DubboResponseReader reader;
    private final MemoryBudget memory;
    private final ArrayDeque<LongAnswer> waiting = new ArrayDeque<>();
    /** Whether it stands among those whose turn comes. */
    boolean hasTurn;

    /** @param reader used on that thread alone */
    public LongAnswers(LongAnswerThread thread, DubboResponseReader reader, MemoryBudget memory) {
        this.thread = thread;
        this.reader = reader;
        this.memory = memory;
    }

    /** Returns what a caller is told whose answer is dropped. */
    public static String noRoom(int answerBytes) {
        return "the method was executed, but there is no room for its answer of " + answerBytes + " bytes";
    }

    /**
     * Takes the Dubbo frame that starts at {@code offset}, which is copied. The listener is told later, or now if the
     * thread takes no work; never if the event loop has ended.
     *
     * @return false if there is no room for it; then the listener is not told
     */
    boolean read(
            Listener listener,
            ResultFormat format,
            DeclaredType declared,
            ByteBuf in,
            int offset,
            ByteBufAllocator allocator) {
        int length = DubboHeader.LENGTH + DubboHeader.bodyLength(in, offset);
        if (!memory.tryReserve(Use.ANSWERS, length)) {
            return false;
        }
        ByteBuf frame = null;
        ByteBuf document = null;
        try {
            frame = allocator.directBuffer(length).writeBytes(in, offset, length);
            // It grows only when its turn has come.
            document = allocator.directBuffer(INITIAL_CAPACITY);
            waiting.addLast(new LongAnswer(listener, format, declared, frame, document, reader, memory));
        } catch (RuntimeException | Error e) {
            memory.release(Use.ANSWERS, length);
            ReferenceCountUtil.release(frame);
            ReferenceCountUtil.release(document);
            throw e;
        }
        thread.add(this);
        return true;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns the first answer that a peer waits for; null if there is none. Those before it are dropped. */
    LongAnswer poll() {
        LongAnswer answer;
        while ((answer = waiting.pollFirst()) != null && !answer.isAwaited()) {
            answer.drop();
        }
        return answer;
    }

    /** Drops those that are not being read. */
    void close() {
        LongAnswer answer;
        while ((answer = waiting.pollFirst()) != null) {
            answer.drop();
        }
    }
}
