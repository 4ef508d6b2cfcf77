package io.dubbomesh.client.call;

import io.dubbomesh.runtime.FatalErrors;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads the {@link LongAnswers} of one event loop on a thread beside it, one answer after the other: providers are
 * served in turn, so that one whose answers take long does not hold up those of others by more than one answer. Owned
 * by the loop, which hands over an answer when the one before is read: what is no longer awaited by then needs no time.
 */
public final class LongAnswerThread {
    private static final Logger LOG = LoggerFactory.getLogger(LongAnswerThread.class);

    private static final int IDLE_SECONDS = 10;

    private final EventLoop eventLoop;
    private final Executor thread;
    private final ArrayDeque<LongAnswers> turns = new ArrayDeque<>();
    private boolean reading;

    /** The thread begins with the first answer and ends when it has had none for ten seconds. */
    public LongAnswerThread(EventLoop eventLoop) {
        this(eventLoop, newThread());
    }

    /** @param thread gets one task at a time */
    public LongAnswerThread(EventLoop eventLoop, Executor thread) {
        this.eventLoop = eventLoop;
        this.thread = thread;
    }

    private static Executor newThread() {
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

    /** Called when these have an answer more. */
    void add(LongAnswers answers) {
        takeTurn(answers);
        readNext();
    }

    private void takeTurn(LongAnswers answers) {
        if (!answers.hasTurn) {
            answers.hasTurn = true;
            turns.addLast(answers);
        }
    }

    private void readNext() {
        LongAnswers answers;
        while (!reading && (answers = turns.pollFirst()) != null) {
            answers.hasTurn = false;
            try {
                LongAnswer answer = answers.poll();
                if (answer != null) {
                    read(answer);
                }
            } catch (RuntimeException | Error e) {
                // One answer's own fault: the others have their turns, and the one that was added stays added.
                LOG.error("a call could not be ended", e);
            }
            if (!answers.isEmpty()) {
                takeTurn(answers);
            }
        }
    }

    private void read(LongAnswer answer) {
        reading = true;
        try {
            thread.execute(() -> notifyListener(answer, answer.read()));
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            reading = false;
            answer.fail(e);
        }
    }

    private void notifyListener(LongAnswer answer, Runnable notification) {
        try {
            eventLoop.execute(() -> {
                reading = false;
                try {
                    readNext();
                } finally {
                    notification.run();
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the event loop has ended before an answer was read", e);
            answer.discard();
        }
    }
}
