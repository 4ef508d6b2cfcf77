package io.dubbomesh.provider;

import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TelnetListing;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.provider.KnownServices.ServiceKey;
import io.dubbomesh.registry.Variant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Finds out what the methods and types of the served services are: from class files, and what these do not have from the provider. What cannot
 * be found out is not known; nothing of it is an error.
 *
 * <p>Best asked while the agent has a connection of its own to the provider: Dubbo 2.6 and 2.7 warn in their logs when their last client
 * leaves.
 */
final class ProviderInquiry {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderInquiry.class);

    private final String host;
    private final int port;
    private final Serialization serialization;
    private final InquirySettings settings;
    private final Set<ServiceKey> services = new LinkedHashSet<>();

    private final Map<ServiceKey, ServiceDefinition> definitions = new HashMap<>();

    private ProviderInquiry(ProviderSettings settings) {
        host = settings.dubboHost();
        port = settings.dubboPort();
        serialization = settings.serialization();
        this.settings = settings.inquiry();
        for (Map.Entry<String, List<Variant>> service :
                settings.services().variants().entrySet()) {
            for (Variant variant : service.getValue()) {
                services.add(new ServiceKey(service.getKey(), variant.version(), variant.group()));
            }
        }
    }

    /** Asks once, on a thread of its own, where it also completes; never exceptionally. */
    static CompletableFuture<KnownServices> start(ProviderSettings settings) {
        if (!settings.inquiry().enabled() && settings.inquiry().apiJars().isEmpty()) {
            return CompletableFuture.completedFuture(KnownServices.NONE);
        }
        CompletableFuture<KnownServices> known = new CompletableFuture<>();
        ProviderInquiry inquiry = new ProviderInquiry(settings);
        Thread thread = new Thread(() -> inquiry.run(known), "provider-inquiry");
        thread.setDaemon(true);
        thread.start();
        return known;
    }

    private void run(CompletableFuture<KnownServices> known) {
        try {
            readClassFiles();
            int fromClassFiles = definitions.size();
            String failure = askProvider();
            LOG.info(
                    "methods and types of services: {} in class files, {} told by the provider, {} not known{}",
                    fromClassFiles,
                    definitions.size() - fromClassFiles,
                    services.size() - definitions.size(),
                    failure == null ? "" : " (" + failure + ')');
        } catch (RuntimeException e) {
            LOG.warn("methods and types of services", e);
        } finally {
            known.complete(new KnownServices(definitions));
        }
    }

    private void readClassFiles() {
        if (settings.apiJars().isEmpty()) {
            return;
        }
        try (ApiClasses classes = ApiClasses.open(settings.apiJars())) {
            for (ServiceKey service : services) {
                readClassFiles(service, classes);
            }
        } catch (IOException e) {
            LOG.warn("dubbo.api.jars: {}", e.getMessage());
        }
    }

    private void readClassFiles(ServiceKey service, ApiClasses classes) {
        try {
            ServiceDefinition definition = ClassDefinitions.of(service.service(), classes);
            if (definition == null) {
                LOG.warn("dubbo.api.jars: no class file of {}", service.service());
            } else {
                definitions.put(service, definition);
            }
        } catch (IOException | MalformedDefinitionException e) {
            LOG.warn("dubbo.api.jars: {}", e.getMessage());
        }
    }

    /** Returns what stood in the way of it, null if nothing did. */
    private String askProvider() {
        if (!settings.enabled() || definitions.keySet().containsAll(services)) {
            return null;
        }
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs());
        try (InquiryConnection connection = connect(port, deadlineNs)) {
            askMetadataService(connection, deadlineNs);
            for (ServiceKey service : services) {
                if (!definitions.containsKey(service)) {
                    ServiceDefinition listed = TelnetListing.parse(connection.telnet("ls -l " + service.service()));
                    if (listed != null) {
                        definitions.put(service, listed);
                    }
                }
            }
            return null;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private InquiryConnection connect(int toPort, long deadlineNs) throws IOException {
        return new InquiryConnection(host, toPort, serialization, deadlineNs);
    }

    private void askMetadataService(InquiryConnection connection, long deadlineNs) throws IOException {
        ServiceKey any = services.iterator().next();
        MetadataService metadata = MetadataService.find(connection, any, settings.application(), port);
        if (metadata == null) {
            return;
        }
        if (metadata.port() == port) {
            askMetadataService(metadata, connection);
            return;
        }
        try (InquiryConnection other = connect(metadata.port(), deadlineNs)) {
            askMetadataService(metadata, other);
        } catch (IOException e) {
            LOG.debug("metadata service at port {}: {}", metadata.port(), e.getMessage());
        }
    }

    private void askMetadataService(MetadataService metadata, InquiryConnection connection) throws IOException {
        for (ServiceKey service : services) {
            if (!definitions.containsKey(service)) {
                try {
                    ServiceDefinition definition = metadata.definition(connection, service);
                    if (definition != null) {
                        definitions.put(service, definition);
                    }
                } catch (MalformedDefinitionException e) {
                    LOG.debug("metadata service about {}: {}", service.service(), e.getMessage());
                }
            }
        }
    }
}
