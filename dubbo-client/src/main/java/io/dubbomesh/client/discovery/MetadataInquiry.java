package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Asks an instance of an application of Dubbo 3 what it exports, over a short connection to its metadata service. */
public final class MetadataInquiry {
    private final HostPort provider;
    private final Serialization serialization;
    private final long timeoutMs;

    /** @param provider its metadata service, by protocol dubbo */
    public MetadataInquiry(HostPort provider, Serialization serialization, long timeoutMs) {
        this.provider = provider;
        this.serialization = serialization;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Blocks until the provider has answered, or the time is over.
     *
     * @return JSON, Dubbo's {@code MetadataInfo}; null if it does not have this revision, or not any more
     * @throws IOException whose message says why it is not known
     */
    public String run(String application, String revision) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        MetadataService service = MetadataService.of(application, provider.port());
        try (DiscoveryConnection connection =
                new DiscoveryConnection(provider.host(), provider.port(), serialization, deadlineNs)) {
            return service.applicationMetadata(connection, revision);
        }
    }
}
