package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.discovery.MetadataQuery;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.metadata.MetadataThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads in metadata centres what applications export, and asks their instances themselves, some at a time, on threads
 * of its own that end when there is nothing to ask.
 */
public final class ApplicationMetadata implements MetadataSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationMetadata.class);
    /**
     * The bound of instances that are asked at once; an agent that has just started may read thousands of applications.
     */
    private static final int QUESTIONS_AT_ONCE = 8;

    private final DirectSettings settings;
    private final ProviderTls tls;
    private final List<MetadataReport> centres;
    private final MetadataThreads threads = new MetadataThreads("application-metadata", QUESTIONS_AT_ONCE);

    /** @param centres beside those of the registries that list the instances */
    public ApplicationMetadata(DirectSettings settings, ProviderTls tls, List<MetadataReport> centres) {
        this.settings = settings;
        this.tls = tls;
        this.centres = List.copyOf(centres);
    }

    @Override
    public CompletableFuture<String> find(String application, String revision, MetadataServiceAddress service) {
        return threads.ask(() -> {
            String metadata = inCentres(application, revision);
            return metadata == null ? ask(revision, service) : metadata;
        });
    }

    /** Returns null if it is in none that has answered. */
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

    private String ask(String revision, MetadataServiceAddress service) throws IOException {
        if (service == null) {
            throw new IOException(
                    "its metadata is in no metadata centre, and no service that speaks dubbo or Triple tells it");
        }
        if (!settings.discovery().enabled()) {
            throw new IOException("its metadata is in no metadata centre, and dubbo.inquiry is false");
        }
        long timeoutMs = settings.discovery().timeoutMs();
        return new MetadataQuery(service, settings.dubbo().serialization(), tls, timeoutMs).run(revision);
    }

    @Override
    public void close() {
        threads.close();
    }
}
