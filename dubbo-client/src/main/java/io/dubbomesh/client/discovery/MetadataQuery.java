package io.dubbomesh.client.discovery;

import io.dubbomesh.client.grpc.BlockingGrpcConnection;
import io.dubbomesh.client.grpc.TripleMetadata;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.runtime.HostPort;

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
    private final long timeoutMs;

    /** @param timeoutMs for all addresses together; those that come next have what is left */
    public MetadataQuery(MetadataServiceAddress service, Serialization serialization, long timeoutMs) {
        this.service = service;
        this.serialization = serialization;
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
        List<String> failures = new ArrayList<>();
        int left = service.addresses().size();
        for (EndpointId id : service.addresses()) {
            long nowNs = System.nanoTime();
            long untilNs = nowNs + (deadlineNs - nowNs) / left;
            try {
                String metadata = id.protocol() == EndpointProtocol.TRIPLE
                        ? askByTriple(id.address(), revision, untilNs)
                        : ask(id.address(), revision, untilNs);
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

    private String ask(HostPort address, String revision, long deadlineNs) throws IOException {
        Set<String> versions = new LinkedHashSet<>(List.of(service.version(), MetadataService.VERSION));
        // That of Triple alone.
        versions.remove(TripleMetadata.VERSION_2);
        versions.remove("");
        IOException failure = null;
        try (DiscoveryConnection connection =
                new DiscoveryConnection(address.host(), address.port(), serialization, deadlineNs)) {
            for (String version : versions) {
                try {
                    return new MetadataService(service.group(), version, address.port())
                            .applicationMetadata(connection, revision);
                } catch (MetadataService.RefusedException e) {
                    failure = failure == null ? e : failure;
                }
            }
        }
        throw failure;
    }

    /** Dubbo 3.3 has both services, and an application may configure a version for the first. */
    private String askByTriple(HostPort address, String revision, long deadlineNs) throws IOException {
        Set<String> versions =
                new LinkedHashSet<>(List.of(service.version(), MetadataService.VERSION, TripleMetadata.VERSION_2));
        versions.remove("");
        IOException failure = null;
        try (BlockingGrpcConnection connection =
                new BlockingGrpcConnection(address.host(), address.port(), deadlineNs)) {
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
