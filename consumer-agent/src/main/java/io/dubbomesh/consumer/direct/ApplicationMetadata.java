package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.discovery.MetadataInquiry;
import io.dubbomesh.registry.MetadataSource;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Asks the instances of applications themselves what they export, some at a time, on threads of its own that end when there is nothing to ask. */
public final class ApplicationMetadata implements MetadataSource, AutoCloseable {
    /** Of an agent that has just started and reads thousands of applications. */
    private static final int QUESTIONS_AT_ONCE = 8;

    private static final long IDLE_SECONDS = 5;

    private final DirectSettings settings;
    private final ThreadPoolExecutor threads;

    public ApplicationMetadata(DirectSettings settings) {
        this.settings = settings;
        threads = new ThreadPoolExecutor(
                QUESTIONS_AT_ONCE,
                QUESTIONS_AT_ONCE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                ApplicationMetadata::newThread);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "application-metadata");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public CompletableFuture<String> find(String application, String revision, HostPort service) {
        if (service == null) {
            return failed("its metadata is not in the metadata centre, and no service that speaks dubbo tells it");
        }
        if (!settings.discovery().enabled()) {
            return failed("its metadata is not in the metadata centre, and dubbo.inquiry is false");
        }
        MetadataInquiry inquiry = new MetadataInquiry(
                service, settings.dubbo().serialization(), settings.discovery().timeoutMs());
        CompletableFuture<String> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> ask(inquiry, application, revision, answer));
        } catch (RejectedExecutionException e) {
            return failed("shutting down");
        }
        return answer;
    }

    private static void ask(
            MetadataInquiry inquiry, String application, String revision, CompletableFuture<String> answer) {
        try {
            answer.complete(inquiry.run(application, revision));
        } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private static CompletableFuture<String> failed(String reason) {
        return CompletableFuture.failedFuture(new IOException(reason));
    }

    /** Answers that are awaited never come. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
