package io.dubbomesh.client.discovery;

import io.dubbomesh.client.connection.ProtocolChoice;
import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.definition.ReportedDefinitions;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.tls.TlsConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        return speaksTriple()
                ? new TripleExportCheck(provider, named, paths, settings.timeoutMs()).run()
                : new ExportCheck(provider, named, paths, settings.timeoutMs()).run();
    }

    @Override
    public CompletableFuture<Exports> exports(long pauseMs) {
        if (followsProvider) {
            return ask(Thread::new, "export-query", pauseMs, () -> stored(queryExports()), ExportQuery.UNKNOWN);
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
     */
    private Exports queryExports() {
        if (speaksTriple()) {
            // It lists nothing by Triple.
            return hinted.run();
        }
        ExportQuery query = new ExportQuery(provider, settings.timeoutMs());
        Exports found = query.run();
        return found.all() == null && query.isAnswered() ? hinted.run() : found;
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
            return CompletableFuture.completedFuture(ServiceDefinitions.NONE);
        }
        return ask(
                Thread::new,
                "metadata-discovery",
                pauseMs,
                () -> metadata.run(services.keys()),
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
