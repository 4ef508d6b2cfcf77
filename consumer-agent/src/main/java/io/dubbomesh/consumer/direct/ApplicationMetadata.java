package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.discovery.MetadataInquiry;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.MetadataSource;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads in metadata centres what applications export, and asks their instances themselves, some at a time, on threads of its own that end when there is
 * nothing to ask.
 */
public final class ApplicationMetadata implements MetadataSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationMetadata.class);
    /** Of an agent that has just started and reads thousands of applications. */
    private static final int QUESTIONS_AT_ONCE = 8;

    private static final long IDLE_SECONDS = 5;

    private final DirectSettings settings;
    private final List<MetadataReport> centres;
    private final ThreadPoolExecutor threads;

    /** @param centres beside those of the registries that list the instances */
    public ApplicationMetadata(DirectSettings settings, List<MetadataReport> centres) {
        this.settings = settings;
        this.centres = List.copyOf(centres);
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
        CompletableFuture<String> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> find(application, revision, service, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new IOException("shutting down"));
        }
        return answer;
    }

    private void find(String application, String revision, HostPort service, CompletableFuture<String> answer) {
        try {
            String metadata = inCentres(application, revision);
            answer.complete(metadata == null ? ask(application, revision, service) : metadata);
        } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    /** Null if it is in none that has answered. */
    private String inCentres(String application, String revision) {
        for (MetadataReport centre : centres) {
            try {
                String metadata = centre.applicationMetadata(
                        application, revision, settings.discovery().timeoutMs());
                if (metadata != null) {
                    return metadata;
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("metadata of {} in revision {}: {}", application, revision, e.toString());
            }
        }
        return null;
    }

    private String ask(String application, String revision, HostPort service) throws IOException {
        if (service == null) {
            throw new IOException("its metadata is in no metadata centre, and no service that speaks dubbo tells it");
        }
        if (!settings.discovery().enabled()) {
            throw new IOException("its metadata is in no metadata centre, and dubbo.inquiry is false");
        }
        long timeoutMs = settings.discovery().timeoutMs();
        return new MetadataInquiry(service, settings.dubbo().serialization(), timeoutMs).run(application, revision);
    }

    /** Answers that are awaited never come. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
