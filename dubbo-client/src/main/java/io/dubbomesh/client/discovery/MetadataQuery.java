package io.dubbomesh.client.discovery;

import io.dubbomesh.client.grpc.BlockingGrpcConnection;
import io.dubbomesh.client.grpc.TripleMetadata;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.transport.tls.TlsConnector;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks an instance of an application of Dubbo 3 what it exports, over a short connection to its metadata service: at
 * one address after the other until one answers, in the version that the instance registered, and in Dubbo's own.
 */
public final class MetadataQuery {
    private final MetadataServiceAddress service;
    private final Serialization serialization;
    private final ProviderTls tls;
    private final long timeoutMs;

    /**
     * @param tls where it depends on what a provider registers, an instance is asked without TLS, and then with it:
     *     what it registers stands in the metadata
     * @param timeoutMs for all addresses together; those that come next have what is left
     */
    public MetadataQuery(MetadataServiceAddress service, Serialization serialization, ProviderTls tls, long timeoutMs) {
        this.service = service;
        this.serialization = serialization;
        this.tls = tls;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Blocks until the instance has answered, or the time is over.
     *
     * @return JSON, Dubbo's {@code MetadataInfo}; null if it does not have this revision, or not any more
     * @throws IOException whose message says of each address why it is not known
     */
    public String run(String revision) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try {
            return ask(tls.connector(false), revision, deadlineNs);
        } catch (IOException plain) {
            if (!tls.dependsOnRegistration()) {
                throw plain;
            }
            try {
                return ask(tls.connector(true), revision, deadlineNs);
            } catch (IOException secured) {
                throw new IOException(plain.getMessage() + "; with TLS: " + secured.getMessage(), secured);
            }
        }
    }

    private String ask(TlsConnector connector, String revision, long deadlineNs) throws IOException {
        List<String> failures = new ArrayList<>();
        int left = service.addresses().size();
        for (EndpointId id : service.addresses()) {
            long nowNs = System.nanoTime();
            long untilNs = nowNs + (deadlineNs - nowNs) / left;
            ProviderContact instance = new ProviderContact(id.address(), serialization, connector);
            try {
                String metadata = id.protocol() == EndpointProtocol.TRIPLE
                        ? askByTriple(instance, revision, untilNs)
                        : ask(instance, revision, untilNs);
                if (metadata != null) {
                    return metadata;
                }
            } catch (IOException e) {
                failures.add(id + ": " + e.getMessage());
            }
            left--;
        }
        if (failures.size() < service.addresses().size()) {
            return null;
        }
        throw new IOException(String.join("; ", failures));
    }

    private String ask(ProviderContact instance, String revision, long deadlineNs) throws IOException {
        Set<String> versions = new LinkedHashSet<>(List.of(service.version(), MetadataService.VERSION));
        // That of Triple alone.
        versions.remove(TripleMetadata.VERSION_2);
        versions.remove("");
        IOException failure = null;
        try (DiscoveryConnection connection = instance.open(deadlineNs)) {
            for (String version : versions) {
                try {
                    return new MetadataService(
                                    service.group(), version, instance.address().port())
                            .applicationMetadata(connection, revision);
                } catch (MetadataService.RefusedException e) {
                    failure = failure == null ? e : failure;
                }
            }
        }
        throw failure;
    }

    /** Dubbo 3.3 has both services, and an application may configure a version for the first. */
    private String askByTriple(ProviderContact instance, String revision, long deadlineNs) throws IOException {
        Set<String> versions =
                new LinkedHashSet<>(List.of(service.version(), MetadataService.VERSION, TripleMetadata.VERSION_2));
        versions.remove("");
        IOException failure = null;
        try (BlockingGrpcConnection connection = instance.openTriple(deadlineNs)) {
            TripleMetadata metadata = new TripleMetadata(connection, service.group());
            for (String version : versions) {
                try {
                    return metadata.ask(version, revision);
                } catch (BlockingGrpcConnection.StatusException e) {
                    failure = failure == null ? e : failure;
                }
            }
        }
        throw failure;
    }
}
