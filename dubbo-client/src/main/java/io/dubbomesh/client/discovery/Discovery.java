package io.dubbomesh.client.discovery;

import io.dubbomesh.client.definition.ServiceDefinitions;

import java.util.concurrent.CompletableFuture;

/**
 * Finds out about the provider, each time on a thread of its own that may block; a failure is no exception. A question
 * that is cancelled before its pause is over is not asked.
 */
public interface Discovery {
    /** Asks after a pause which of the served services the provider exports. */
    CompletableFuture<Exports> exports(long pauseMs);

    /** Returns the methods and types of the served services. */
    default CompletableFuture<ServiceDefinitions> definitions() {
        return definitions(0);
    }

    /** Returns the same, looked for after a pause. */
    CompletableFuture<ServiceDefinitions> definitions(long pauseMs);

    /** Returns what speaks at the provider's port if it does not answer a heartbeat, in a sentence for operators. */
    CompletableFuture<String> protocol();
}
