package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.discovery.DefinitionCache;
import io.dubbomesh.client.discovery.ProviderDiscovery;
import io.dubbomesh.client.discovery.ReportedDefinitions;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.discovery.ServiceDefinitions;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The methods and types of services that are called directly, by the revision of their provider: looked for one after
 * the other, on threads of their own: once, and again as long as the provider cannot be asked. Used by all event loops.
 */
public final class ServiceTypes {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceTypes.class);
    /** Of an agent whose clients may name any service; nothing more is looked for then. */
    private static final int MAX_SERVICES = 10_000;

    private record Key(ServiceKey service, String application, String revision) {}

    /** Between questions for a metadata report that may still come, and how often it is asked for. */
    private static final long PAUSE_MS = 10_000;

    private static final int MAX_QUESTIONS = 30;

    /** Between questions to a provider that cannot be asked. */
    private static final long FIRST_RETRY_MS = 1000;

    private static final long MAX_RETRY_MS = 300_000;

    private final DirectSettings settings;
    private final ReportedDefinitions reports;
    private final Runnable changed;
    private final Runnable searched;
    private final Map<Key, Search> searches = new ConcurrentHashMap<>();
    private final AtomicBoolean fullLogged = new AtomicBoolean();
    /** Guarded by this. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /**
     * @param metadataReports of registries
     * @param changed  is run by any thread when something was found
     * @param searched is run by any thread when a search has ended otherwise
     */
    public ServiceTypes(
            DirectSettings settings, List<MetadataReport> metadataReports, Runnable changed, Runnable searched) {
        this.settings = settings;
        Path cache = settings.discovery().cache();
        reports = new ReportedDefinitions(metadataReports, cache == null ? null : new DefinitionCache(cache));
        this.changed = changed;
        this.searched = searched;
    }

    /**
     * Those of a service; null if they are not known, or not known yet.
     *
     * @param name   in the version and group that its calls go to
     * @param export as the provider registered it
     */
    ServiceDefinition definition(MethodName name, DubboExport export, HostPort provider) {
        Key key = key(name, export);
        Search search = searches.get(key);
        if (search != null) {
            search.add(provider);
            return search.known.definition(name);
        }
        if (searches.size() < MAX_SERVICES) {
            Search begun = new Search(key, provider);
            if (searches.putIfAbsent(key, begun) == null) {
                begun.ask();
            }
        } else if (!fullLogged.getAndSet(true)) {
            LOG.warn(
                    "more than {} services are called without a provider agent; the types of the others are not looked for",
                    MAX_SERVICES);
        }
        return null;
    }

    private static Key key(MethodName name, DubboExport export) {
        ServiceKey service = new ServiceKey(name.service(), name.version(), name.group());
        return new Key(service, export.application(), export.revision());
    }

    /** Whether somebody is being asked about a service. */
    boolean isLookedFor(MethodName name, DubboExport export) {
        Search search = searches.get(key(name, export));
        return search != null && search.isAsking();
    }

    /** Forgets what no provider is listed with any more. Called with each new directory, by one thread at a time. */
    public void update(Directory listed) {
        searches.forEach((key, search) -> {
            if (!isListed(key, listed) && !search.isAsking()) {
                searches.remove(key, search);
            }
        });
        if (searches.size() < MAX_SERVICES) {
            fullLogged.set(false);
        }
    }

    private static boolean isListed(Key key, Directory listed) {
        List<Endpoint> endpoints = listed.endpoints(key.service.service());
        return endpoints != null
                && endpoints.stream()
                        .flatMap(endpoint -> endpoint.exports().stream())
                        .anyMatch(export -> export.application().equals(key.application)
                                && export.revision().equals(key.revision));
    }

    /**
     * A connection to the provider is open again: if no revision tells its releases apart, it may be another one with
     * other types.
     */
    void connectedAgain(HostPort provider) {
        searches.forEach((key, search) -> {
            if (key.revision.isEmpty() && search.askFirst(provider)) {
                search.ask();
            }
        });
    }

    private synchronized void enqueue(Supplier<CompletableFuture<Void>> question) {
        last = last.handle((before, failure) -> null).thenCompose(before -> question.get());
    }

    /** What is known of one service, and who is asked about it. */
    private final class Search {
        private final Key key;
        /** Those that serve it; they are asked in turns. Guarded by this. */
        private final Set<HostPort> providers = new LinkedHashSet<>();

        /** Guarded by this. */
        private final Backoff backoff = new Backoff(FIRST_RETRY_MS, MAX_RETRY_MS);

        private volatile ServiceDefinitions known = ServiceDefinitions.NONE;
        /** Guarded by this. */
        private boolean asking;
        /** Whether it will be asked again after a pause. Guarded by this. */
        private boolean retrying;
        /** Guarded by this. */
        private int questions = MAX_QUESTIONS;
        /** Guarded by this. */
        private HostPort asked;
        /** Of {@link #asked}. */
        private ProviderDiscovery discovery;

        private Search(Key key, HostPort provider) {
            this.key = key;
            providers.add(provider);
        }

        private synchronized void add(HostPort provider) {
            providers.add(provider);
        }

        /** False if the provider is none of them. */
        private synchronized boolean askFirst(HostPort provider) {
            if (!providers.contains(provider)) {
                return false;
            }
            asked = null;
            LinkedHashSet<HostPort> others = new LinkedHashSet<>(providers);
            others.remove(provider);
            providers.clear();
            providers.add(provider);
            providers.addAll(others);
            return true;
        }

        private synchronized boolean isAsking() {
            return asking;
        }

        /** Unless that is under way. */
        private void ask() {
            synchronized (this) {
                if (asking) {
                    return;
                }
                asking = true;
            }
            enqueue(this::question);
        }

        private CompletableFuture<Void> question() {
            ServedServices service;
            try {
                service = ServedServices.parse(List.of(key.service.toString()));
            } catch (IllegalArgumentException e) {
                // No interface has such a name.
                synchronized (this) {
                    asking = false;
                }
                searched.run();
                return CompletableFuture.completedFuture(null);
            }
            return discovery(service).definitions(0).thenAccept(this::take);
        }

        private synchronized ProviderDiscovery discovery(ServedServices service) {
            HostPort provider = providers.iterator().next();
            if (!provider.equals(asked)) {
                asked = provider;
                discovery = new ProviderDiscovery(
                        provider,
                        settings.dubbo().serialization(),
                        service,
                        settings.discovery().of(key.application),
                        false,
                        reports);
            }
            return discovery;
        }

        private void take(ServiceDefinitions found) {
            ServiceDefinitions all = found.or(known);
            boolean isNews = !all.areThoseOf(known);
            known = all;
            synchronized (this) {
                asking = false;
                askLater(found);
            }
            (isNews ? changed : searched).run();
        }

        private void askLater(ServiceDefinitions found) {
            long pauseMs;
            if (!found.areAsked()) {
                pauseMs = backoff.nextMs();
                // The next one is asked then.
                HostPort failed = providers.iterator().next();
                providers.remove(failed);
                providers.add(failed);
            } else {
                backoff.reset();
                if (found.areFinal() || questions-- <= 0) {
                    return;
                }
                pauseMs = PAUSE_MS;
            }
            if (!retrying) {
                retrying = true;
                CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS)
                        .execute(this::retry);
            }
        }

        private void retry() {
            synchronized (this) {
                retrying = false;
            }
            if (searches.get(key) == this) {
                ask();
            }
        }
    }
}
