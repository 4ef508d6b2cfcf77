package io.dubbomesh.client.discovery;

import io.dubbomesh.client.connection.ProtocolChoice;
import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.definition.ReportedDefinitions;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.grpc.BlockingGrpcConnection;
import io.dubbomesh.client.grpc.TripleRelease;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.tls.TlsConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks the provider over short connections beside those of the event loops. Thread-safe. */
public final class ProviderDiscovery implements Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderDiscovery.class);
    private static final ServedServices NO_PATHS = ServedServices.of(Map.of());

    private final ProviderContact provider;
    private volatile ServedServices services;
    private final DiscoverySettings settings;
    private final boolean asksForExports;
    private final ProtocolChoice protocols;
    private final ReportedDefinitions reports;
    private final boolean followsProvider;
    private final MetadataDiscovery metadata;
    private final HintedExports hinted;
    /** The last answer of the provider; true before the first one. */
    private volatile boolean readsDeclaredTypes = true;

    /** Makes a discovery without metadata reports. */
    public ProviderDiscovery(
            HostPort provider,
            Serialization serialization,
            ServedServices services,
            DiscoverySettings settings,
            boolean asksForExports) {
        this(provider, serialization, services, settings, asksForExports, ReportedDefinitions.NONE);
    }

    /** Makes a discovery without other sources of what the provider exports. */
    public ProviderDiscovery(
            HostPort provider,
            Serialization serialization,
            ServedServices services,
            DiscoverySettings settings,
            boolean asksForExports,
            ReportedDefinitions reports) {
        this(
                provider,
                serialization,
                services,
                settings,
                asksForExports,
                ProtocolChoice.of(ProviderProtocol.DUBBO),
                null,
                reports,
                List.of());
    }

    /**
     * @param serialization  of the requests to the provider
     * @param services       those that are served; null for all that the provider exports
     * @param asksForExports whether the provider is asked what it exports, and not taken to export everything that is
     *     served
     * @param protocols      by which the provider is called, and asked
     * @param tls            null where it is called without TLS
     * @param reports        of registries
     * @param hints          who may know what the provider exports if it does not list that, where it is asked for all
     */
    public ProviderDiscovery(
            HostPort provider,
            Serialization serialization,
            ServedServices services,
            DiscoverySettings settings,
            boolean asksForExports,
            ProtocolChoice protocols,
            TlsConnector tls,
            ReportedDefinitions reports,
            List<ExportHints> hints) {
        this.provider = new ProviderContact(provider, serialization, tls);
        this.services = services;
        this.settings = settings;
        this.asksForExports = asksForExports;
        this.protocols = protocols;
        this.reports = reports;
        metadata = new MetadataDiscovery(this.provider, settings, reports, this::speaksTriple);
        followsProvider = services == null;
        hinted = new HintedExports(hints, named -> check(named, NO_PATHS));
    }

    private boolean speaksTriple() {
        return protocols.current() == ProviderProtocol.TRIPLE;
    }

    /** Asks about each of these services. */
    private Exports check(Set<ServiceKey> named, ServedServices paths) {
        if (!speaksTriple()) {
            return new ExportCheck(provider, named, paths, settings.timeoutMs()).run();
        }
        Exports exports = new TripleExportCheck(provider, named, paths, settings.timeoutMs()).run();
        named.stream()
                .filter(service -> !exports.missing().containsKey(service)
                        && !exports.unsaid().contains(service))
                .findFirst()
                .ifPresent(exported -> readsDeclaredTypes = readsDeclaredTypes(exported, paths));
        return exports;
    }

    /** Returns true if the provider does not answer, which Dubbo 3.0 always does. */
    private boolean readsDeclaredTypes(ServiceKey exported, ServedServices paths) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs() / 2);
        try (BlockingGrpcConnection connection = provider.openTriple(deadlineNs)) {
            return TripleRelease.readsDeclaredTypes(
                    connection, TripleExportCheck.path(paths, exported), TripleExportCheck.fields(exported));
        } catch (IOException e) {
            LOG.debug("provider {}: whether it is Dubbo 3.0: {}", provider, e.getMessage());
            return true;
        }
    }

    /**
     * Asks a provider that is called by Triple whether it reads arguments by the types that methods declare, which
     * Dubbo 3.0 does not. True if it cannot be asked.
     */
    public CompletableFuture<Boolean> readsDeclaredTypes() {
        return ask(
                Thread::new,
                "release-check",
                0,
                () -> services.keys().stream()
                        .findFirst()
                        .map(service -> readsDeclaredTypes(service, services))
                        .orElse(true),
                true);
    }

    @Override
    public CompletableFuture<Exports> exports(long pauseMs) {
        if (followsProvider) {
            return ask(
                    Thread::new,
                    "export-query",
                    pauseMs,
                    () -> stored(queryExports(pauseMs == 0)),
                    ExportQuery.UNKNOWN);
        }
        if (!asksForExports) {
            return CompletableFuture.completedFuture(Exports.ALL);
        }
        return ask(
                Thread::new,
                "export-check",
                pauseMs,
                () -> check(services.keys(), services),
                new Exports(Map.of(), services.keys(), List.of()));
    }

    /**
     * Asks for the exports. A provider that has not answered is not asked about its services one by one: it may be
     * busy, and what was known stays.
     *
     * @param hasChanged whether the provider may export less than before, and not only more
     */
    private Exports queryExports(boolean hasChanged) {
        if (speaksTriple()) {
            // It lists nothing by Triple, and logs an error for each question about a service that it exports.
            return hinted.run(hasChanged);
        }
        ExportQuery query = new ExportQuery(provider, settings.timeoutMs());
        Exports found = query.run();
        return found.all() == null && query.isAnswered() ? hinted.run(true) : found;
    }

    /** Keeps exports for the discovery of their methods and types, which comes next. */
    private Exports stored(Exports found) {
        if (found.all() != null) {
            services = ServedServices.of(found.variants());
        }
        return found;
    }

    @Override
    public CompletableFuture<ServiceDefinitions> definitions(long pauseMs) {
        boolean isAnySource = settings.enabled()
                || settings.apiJars().areAny()
                || settings.descriptors().areAny()
                || reports.areAny();
        if (services == null || !isAnySource) {
            return CompletableFuture.completedFuture(
                    readsDeclaredTypes ? ServiceDefinitions.NONE : ServiceDefinitions.NONE.withoutDeclaredTypes());
        }
        return ask(
                Thread::new,
                "metadata-discovery",
                pauseMs,
                () -> {
                    ServiceDefinitions found = metadata.run(services.keys());
                    return readsDeclaredTypes ? found : found.withoutDeclaredTypes();
                },
                ServiceDefinitions.NOT_ASKED);
    }

    @Override
    public CompletableFuture<String> protocol() {
        PortInspection inspection = new PortInspection(provider, settings.timeoutMs());
        return ask(Thread::new, "port-inspection", 0, inspection::run, "what it speaks is not known");
    }

    /**
     * Completes the result on a thread that is started after the pause, unless the result was cancelled by then.
     *
     * @param otherwise the result if there is no other
     */
    static <T> CompletableFuture<T> ask(
            ThreadFactory threads, String name, long pauseMs, Supplier<T> question, T otherwise) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Executor thread = task -> {
            if (result.isDone()) {
                return;
            }
            try {
                Thread started = threads.newThread(task);
                started.setName(name);
                started.setDaemon(true);
                started.start();
            } catch (OutOfMemoryError e) {
                // Without its trace, since what logs one ends the process, and there is still memory.
                LOG.warn("{}: no thread could be started: {}", name, e.getMessage());
                result.complete(otherwise);
            }
        };
        Executor later =
                pauseMs == 0 ? thread : CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS, thread);
        later.execute(() -> {
            T answer = otherwise;
            try {
                answer = question.get();
            } catch (RuntimeException e) {
                LOG.warn("{} failed", name, e);
            } finally {
                result.complete(answer);
            }
        });
        return result;
    }
}
