package io.dubbomesh.registry.metadata;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Finds what an application of Dubbo 3 exports in one revision: registries that list its instances need not tell it.
 * Thread-safe.
 */
@FunctionalInterface
public interface MetadataSource {
    /** Finds nothing: where metadata is looked for nowhere else. */
    MetadataSource NONE = (application, revision, service) ->
            CompletableFuture.failedFuture(new IOException("its metadata is not in the metadata centre"));

    /**
     * Looks for it, and returns at once.
     *
     * @param service where an instance of the revision tells it; null if there is no such place
     * @return is completed after some seconds at most, by any thread: with JSON, Dubbo's {@code MetadataInfo}, or null
     *     if it is not there; or with an exception whose message says why it is not known whether it is there
     */
    CompletableFuture<String> find(String application, String revision, MetadataServiceAddress service);
}
