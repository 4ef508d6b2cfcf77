package io.dubbomesh.registry.metadata;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Asks for metadata where that blocks, some questions at once, on threads that end when there is nothing to ask.
 * Thread-safe.
 */
public final class MetadataThreads implements AutoCloseable {
    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor threads;

    /** @param name of the threads */
    public MetadataThreads(String name, int questionsAtOnce) {
        threads = new ThreadPoolExecutor(
                questionsAtOnce, questionsAtOnce, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns a future that is completed with what the question returns or throws. */
    public CompletableFuture<String> ask(Callable<String> question) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    answer.complete(question.call());
                } catch (Throwable e) {
                    // Its waiters would never ask again.
                    answer.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new IOException("closed"));
        }
        return answer;
    }

    /** Answers that are awaited may never come. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
