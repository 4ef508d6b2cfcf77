package io.dubbomesh.client.call;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads answers that would hold up the event loop on a thread beside it, one after the other. Owned by the loop: it copies an answer, the thread
 * turns the copy into a document, and the loop passes that on.
 */
public final class LongAnswers {
    /** Is told once of an answer, on the event loop. */
    interface Listener {
        /** @param document see {@link DubboResponseReader#read}; valid during the call only */
        void read(Outcome outcome, ByteBuf document);

        /** It could not be read, which is a fault of this agent. */
        void notRead(Throwable cause);
    }

    private static final Logger LOG = LoggerFactory.getLogger(LongAnswers.class);

    private static final int IDLE_SECONDS = 10;
    private static final int INITIAL_CAPACITY = 256;

    private final EventLoop eventLoop;
    private final Executor thread;
    private final DubboResponseReader reader;
    private final MemoryBudget memory;

    /**
     * @param thread runs one task after the other, see {@link #thread}; others may use it too
     * @param reader used on that thread alone
     */
    public LongAnswers(EventLoop eventLoop, Executor thread, DubboResponseReader reader, MemoryBudget memory) {
        this.eventLoop = eventLoop;
        this.thread = thread;
        this.reader = reader;
        this.memory = memory;
    }

    /** A thread that begins with the first task and ends when it has had none for ten seconds. */
    public static Executor thread() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory("long-answers", true));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /** What a caller is told whose answer is dropped. */
    public static String noRoom(int answerBytes) {
        return "the method was executed, but there is no room for its answer of " + answerBytes + " bytes";
    }

    /**
     * Begins to read the Dubbo frame that starts at {@code offset}, which is copied. The listener is told later, unless
     * the event loop has ended.
     *
     * @return false if there is no room for it; then the listener is not told
     */
    boolean read(Listener listener, ResultFormat format, ByteBuf in, int offset, ByteBufAllocator allocator) {
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
            thread.execute(new Task(listener, format, frame, document));
        } catch (RuntimeException | Error e) {
            memory.release(Use.ANSWERS, length);
            ReferenceCountUtil.release(frame);
            ReferenceCountUtil.release(document);
            throw e;
        }
        return true;
    }

    private final class Task implements Runnable {
        private final Listener listener;
        private final ResultFormat format;
        private final ByteBuf frame;
        private final ByteBuf document;

        Task(Listener listener, ResultFormat format, ByteBuf frame, ByteBuf document) {
            this.listener = listener;
            this.format = format;
            this.frame = frame;
            this.document = document;
        }

        @Override
        public void run() {
            int length = frame.readableBytes();
            Runnable told;
            try {
                document.ensureWritable(length);
                Outcome outcome = reader.read(frame, 0, format, document);
                told = () -> listener.read(outcome, document);
            } catch (RuntimeException | Error e) {
                FatalErrors.check(e);
                told = () -> listener.notRead(e);
            } finally {
                frame.release();
            }
            tell(told, length);
        }

        private void tell(Runnable told, int length) {
            try {
                eventLoop.execute(() -> {
                    memory.release(Use.ANSWERS, length);
                    try {
                        told.run();
                    } finally {
                        document.release();
                    }
                });
            } catch (RejectedExecutionException e) {
                LOG.debug("the event loop has ended before an answer was read", e);
                document.release();
            }
        }
    }
}
