package io.dubbomesh.client.discovery;

import io.dubbomesh.client.definition.ApiDefinitions;
import io.dubbomesh.client.definition.ApiJars;
import io.dubbomesh.client.definition.ReportedDefinitions;
import io.dubbomesh.client.definition.ServerReflection;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.grpc.BlockingGrpcConnection;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TelnetListing;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Finds the methods and types of services: in class files and files of descriptors; what these do not have by asking
 * the provider's metadata service, or by Triple its server reflection; then in metadata reports, which are of the
 * provider's application, though maybe of another version of it; and last in what the provider lists by telnet, which
 * has no fields. What cannot be found is not known; nothing of it is an error. Called by one thread at a time.
 *
 * <p>Best run while the agent has a connection to the provider: Dubbo 2.6 and 2.7 log a warning when their last client
 * disconnects.
 */
final class MetadataDiscovery {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataDiscovery.class);

    private final ProviderContact provider;
    private final DiscoverySettings settings;
    private final ReportedDefinitions reports;
    private final BooleanSupplier isTriple;
    /** The line that the log has. */
    private volatile String logged = "";

    /**
     * @param isTriple      whether the provider is called by Triple, by which it tells descriptors of protobuf alone
     */
    MetadataDiscovery(
            ProviderContact provider,
            DiscoverySettings settings,
            ReportedDefinitions reports,
            BooleanSupplier isTriple) {
        this.isTriple = isTriple;
        this.provider = provider;
        this.settings = settings;
        this.reports = reports;
    }

    /** Blocks until the provider has answered, or the time is over. */
    ServiceDefinitions run(Set<ServiceKey> services) {
        return new Run(services).run();
    }

    /** One discovery, with what it has found so far. */
    private final class Run {
        private final Set<ServiceKey> services;
        private final Map<ServiceKey, ServiceDefinition> found = new HashMap<>();
        /** The services of which only telnet's list is known. */
        private final Set<ServiceKey> withoutFields = new HashSet<>();

        private boolean reportsAreFinal = true;
        private String application = settings.application();

        private Run(Set<ServiceKey> services) {
            this.services = services;
        }

        private ServiceDefinitions run() {
            boolean isAsked = false;
            try {
                readClassFiles();
                readDescriptors();
                String failure = askProvider();
                isAsked = failure == null;
                readReports();
                readTexts();
                log(failure);
            } catch (RuntimeException e) {
                // What was found until then is of use.
                LOG.warn("methods and types of services", e);
            }
            return new ServiceDefinitions(found, reportsAreFinal, isAsked);
        }

        /** Once, however often it is asked for a report that does not come. */
        private void log(String failure) {
            StringJoiner sources = new StringJoiner(", ", "", ", ");
            sources.add(count(DefinitionSource.CLASS_FILES) + " from class files");
            if (settings.descriptors().areAny()) {
                sources.add(count(DefinitionSource.DESCRIPTORS) + " from descriptors");
            }
            if (reports.areAny()) {
                sources.add(count(DefinitionSource.METADATA_REPORT) + " from metadata reports");
            }
            sources.add(count(DefinitionSource.PROVIDER) + " from the provider");
            String line = sources.toString() + (services.size() - found.size()) + " not known"
                    + (failure == null ? "" : " (" + failure + ')');
            if (failure == null && reportsAreFinal || !line.equals(logged)) {
                LOG.info("methods and types of services: {}", line);
            }
            logged = line;
        }

        private long count(DefinitionSource source) {
            return found.values().stream()
                    .filter(definition -> definition.source() == source)
                    .count();
        }

        private void readReports() {
            if (!reports.areAny()) {
                return;
            }
            long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs());
            for (ServiceKey service : services) {
                ServiceDefinition listed = withoutFields.contains(service) ? found.get(service) : null;
                if (!found.containsKey(service) || listed != null && !listed.isGenericService()) {
                    ReportedDefinitions.Found report = reports.find(service, application, "", deadlineNs);
                    if (report.definition() != null) {
                        found.put(service, report.definition());
                    }
                    reportsAreFinal &= report.isFinal();
                }
            }
        }

        private void readTexts() {
            ServiceTexts texts = settings.sources().texts();
            if (!texts.areNone()) {
                found.replaceAll((service, definition) -> definition.with(texts, service.service()));
            }
        }

        private void readClassFiles() {
            if (!settings.apiJars().areAny()) {
                return;
            }
            try (ApiJars.Use jars = settings.apiJars().open()) {
                for (ServiceKey service : services) {
                    readClassFiles(service, jars);
                }
                ClassHierarchy.Subtypes subtypes = jars.classes().subtypes();
                if (!subtypes.areComplete()) {
                    LOG.warn(
                            "dubbo.api.jars: too many classes, so subclasses are looked for in the first {} only"
                                    + " (expected: the jars of the services' interfaces and of what they use)",
                            ClassHierarchy.MAX_CLASSES);
                }
                if (subtypes.unreadable() > 0) {
                    LOG.warn(
                            "dubbo.api.jars: {} class files cannot be read, so these are not known as subclasses; the first: {}",
                            subtypes.unreadable(),
                            subtypes.firstFailure());
                }
            } catch (IOException e) {
                LOG.warn("dubbo.api.jars: {}", e.getMessage());
            }
        }

        private void readClassFiles(ServiceKey service, ApiJars.Use jars) {
            try {
                ServiceDefinition definition = ApiDefinitions.read(service.service(), jars.files(), jars.classes());
                if (definition != null) {
                    found.put(service, definition);
                } else if (!settings.descriptors().areAny()) {
                    LOG.warn("dubbo.api.jars: no class file of {}", service.service());
                }
            } catch (IOException | MalformedDefinitionException e) {
                LOG.warn("dubbo.api.jars: {}", e.getMessage());
            } catch (RuntimeException e) {
                // The class files of one service: those of the others may be sound.
                LOG.warn("dubbo.api.jars: class files of {}", service.service(), e);
            }
        }

        /** Reads the descriptors of services without messages, whose class files may have the interface alone. */
        private void readDescriptors() {
            if (!settings.descriptors().areAny()) {
                return;
            }
            try {
                for (ServiceKey service : services) {
                    ServiceDefinition known = found.get(service);
                    if (known == null || known.messages() == null) {
                        ServiceDefinition described = settings.descriptors().definition(service.service());
                        if (described != null) {
                            found.put(service, described);
                        }
                    }
                }
            } catch (IOException e) {
                LOG.warn("dubbo.api.descriptors: {}", e.getMessage());
            }
        }

        /** Returns why the provider could not be asked, null if it was, or need not be. */
        private String askProvider() {
            if (!settings.enabled() || found.keySet().containsAll(services)) {
                return null;
            }
            long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs());
            if (isTriple.getAsBoolean()) {
                return askReflection(deadlineNs);
            }
            try (DiscoveryConnection connection = provider.open(deadlineNs)) {
                askMetadataService(connection, deadlineNs);
                for (ServiceKey service : services) {
                    if (!found.containsKey(service)) {
                        ServiceDefinition listed = TelnetListing.parse(connection.telnet("ls -l " + service.service()));
                        if (listed != null) {
                            found.put(service, listed);
                            withoutFields.add(service);
                        }
                    }
                }
                return null;
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        }

        /** Asks by Triple, by which a provider tells the descriptors of its services of protobuf alone. */
        private String askReflection(long deadlineNs) {
            try (BlockingGrpcConnection connection = provider.openTriple(deadlineNs)) {
                ServerReflection reflection = new ServerReflection(
                        (path, message) -> connection.call(path, "application/grpc", Map.of(), message));
                for (ServiceKey service : services) {
                    ServiceDefinition described =
                            found.containsKey(service) ? null : reflection.find(service.service());
                    if (described != null) {
                        found.put(service, described);
                    }
                }
                return null;
            } catch (BlockingGrpcConnection.StatusException e) {
                // It has no reflection, and so says nothing.
                LOG.debug("server reflection of {}: {}", provider, e.getMessage());
                return null;
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        }

        private void askMetadataService(DiscoveryConnection connection, long deadlineNs) throws IOException {
            ServiceKey any = services.iterator().next();
            MetadataService metadata = MetadataService.find(
                    connection, any, settings.application(), provider.address().port());
            if (metadata == null) {
                return;
            }
            application = metadata.application();
            if (metadata.port() == provider.address().port()) {
                askMetadataService(metadata, connection);
                return;
            }
            try (DiscoveryConnection other = provider.at(metadata.port()).open(deadlineNs)) {
                askMetadataService(metadata, other);
            } catch (IOException e) {
                LOG.debug("metadata service at port {}: {}", metadata.port(), e.getMessage());
            }
        }

        private void askMetadataService(MetadataService metadata, DiscoveryConnection connection) throws IOException {
            for (ServiceKey service : services) {
                if (!found.containsKey(service)) {
                    try {
                        ServiceDefinition definition = metadata.definition(connection, service);
                        if (definition != null) {
                            found.put(service, definition);
                        }
                    } catch (MalformedDefinitionException e) {
                        LOG.debug("metadata service about {}: {}", service.service(), e.getMessage());
                    }
                }
            }
        }
    }
}
