package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.connection.ProtocolChoice;
import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.definition.DefinitionCache;
import io.dubbomesh.client.definition.ReportedDefinitions;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.definition.SharedDefinitions;
import io.dubbomesh.client.discovery.ArgumentValidation;
import io.dubbomesh.client.discovery.DiscoverySettings;
import io.dubbomesh.client.discovery.ProviderDiscovery;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The methods and types of services that are called directly, by the revision of their provider: looked for one after
 * the other, on threads of their own: once, and again as long as the provider cannot be asked. Used by all event loops.
 */
public final class ServiceTypes {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceTypes.class);
    /** The bound of services of an agent whose clients may name any service; beyond it nothing more is looked for. */
    private static final int MAX_SERVICES = 10_000;

    private record Key(ServiceKey service, String application, String revision, boolean registersTls) {
        boolean isOf(DubboExport export) {
            return export.application().equals(application)
                    && export.revision().equals(revision)
                    && export.registersTls() == registersTls;
        }
    }

    /**
     * The longest pause between questions for a metadata report that may still come, and the time for which it is
     * asked.
     */
    private static final long MAX_REPORT_PAUSE_MS = 10_000;

    private static final int MAX_QUESTIONS = 30;

    /** More of them would not be faster: each reads class files. */
    private static final int SEARCHES_AT_ONCE = 4;
    /** The time that a call waits for a search beside the search's own, in milliseconds: it may be behind others. */
    private static final long SLACK_MS = 1000;

    /** The first pause between questions to a provider that cannot be asked. */
    private static final long FIRST_RETRY_MS = 1000;

    private static final long MAX_RETRY_MS = 300_000;

    private final DirectSettings settings;
    private final ProviderTls tls;
    private final ReportedDefinitions reports;
    private final Runnable changed;
    /** A call waits at most so long for the first search of its service. */
    private final long waitMs;

    private final Map<Key, Search> searches = new ConcurrentHashMap<>();
    private final SharedDefinitions shared = new SharedDefinitions();
    private final DeclaredTypes declared;
    private final AtomicBoolean fullLogged = new AtomicBoolean();
    private final AtomicBoolean overdueLogged = new AtomicBoolean();
    /** The searches that are next. Guarded by this. */
    private final ArrayDeque<Search> queue = new ArrayDeque<>();
    /** Guarded by this. */
    private int underWay;

    /**
     * @param metadataReports of registries
     * @param changed is run by any thread when something was found, or nothing is waited for any more
     */
    public ServiceTypes(
            DirectSettings settings, ProviderTls tls, List<MetadataReport> metadataReports, Runnable changed) {
        this.settings = settings;
        this.tls = tls;
        Path cache = settings.discovery().cache();
        reports = new ReportedDefinitions(metadataReports, cache == null ? null : new DefinitionCache(cache));
        this.changed = changed;
        declared = new DeclaredTypes(this::readsDeclaredTypes, changed);
        // The provider may take all of its time, and then the reports may.
        waitMs = 2 * settings.discovery().timeoutMs() + SLACK_MS;
    }

    /** Returns which arguments are checked against the constraints of these types. */
    ArgumentValidation validation() {
        return settings.discovery().validation();
    }

    /**
     * Returns the definition of a service; null if it is not known, or not known yet.
     *
     * @param name   in the version and group that its calls go to
     * @param export as the provider registered it
     */
    ServiceDefinition definition(MethodName name, DubboExport export, EndpointId provider) {
        Search search = search(name, export, provider);
        return search == null ? null : search.known.definition(name);
    }

    /**
     * Returns whether the types of a service are looked for by the first search, which is begun if it is not yet; when
     * they are found, or will not be found soon, {@code changed} is run. Likewise where it is being asked whether a
     * provider {@linkplain #areRead reads} them.
     */
    boolean areAwaited(MethodName name, DubboExport export, EndpointId provider) {
        boolean isReadingAwaited = declared.isAwaited(name, export, provider);
        Search search = search(name, export, provider);
        return isReadingAwaited || search != null && search.isAwaited();
    }

    private CompletableFuture<Boolean> readsDeclaredTypes(
            EndpointId provider, ServedServices service, boolean registersTls) {
        return settings.discovery().enabled()
                ? discovery(provider, service, settings.discovery(), registersTls)
                        .readsDeclaredTypes()
                : CompletableFuture.completedFuture(true);
    }

    private ProviderDiscovery discovery(
            EndpointId provider, ServedServices service, DiscoverySettings of, boolean registersTls) {
        return new ProviderDiscovery(
                provider.address(),
                settings.dubbo().serialization(),
                service,
                of,
                false,
                ProtocolChoice.of(
                        provider.protocol() == EndpointProtocol.TRIPLE
                                ? ProviderProtocol.TRIPLE
                                : ProviderProtocol.DUBBO),
                tls.connector(registersTls),
                reports,
                List.of());
    }

    /** Returns whether a provider by Triple that registers no release reads arguments by the types of methods. */
    boolean areRead(EndpointId provider) {
        return declared.areRead(provider);
    }

    /** Returns null if there are too many, or can be none of that name. */
    private Search search(MethodName name, DubboExport export, EndpointId provider) {
        Key key = key(name, export);
        Search search = searches.get(key);
        if (search != null) {
            search.add(provider);
            return search;
        }
        if (searches.size() < MAX_SERVICES) {
            ServedServices service = served(key.service);
            if (service == null) {
                return null;
            }
            Search begun = new Search(key, service, provider);
            Search other = searches.putIfAbsent(key, begun);
            if (other == null) {
                begun.ask();
            }
            return other == null ? begun : other;
        }
        if (!fullLogged.getAndSet(true)) {
            LOG.warn(
                    "more than {} services of Dubbo providers are called; the types of the others are not looked for",
                    MAX_SERVICES);
        }
        return null;
    }

    /** Returns null if no interface has such a name. */
    static ServedServices served(ServiceKey service) {
        return ServiceKey.isInterfaceName(service.service())
                ? ServedServices.of(Map.of(service.service(), List.of(new Variant(service.version(), service.group()))))
                : null;
    }

    private static Key key(MethodName name, DubboExport export) {
        ServiceKey service = new ServiceKey(name.service(), name.version(), name.group());
        return new Key(service, export.application(), export.revision(), export.registersTls());
    }

    /** Forgets what no provider is listed with any more. Called with each new directory, by one thread at a time. */
    public void update(Directory listed) {
        searches.forEach((key, search) -> {
            Set<EndpointId> providers = providers(key, listed);
            if (!providers.isEmpty()) {
                search.retain(providers);
            } else if (!search.isAsking()) {
                searches.remove(key, search);
            }
        });
        if (searches.size() < MAX_SERVICES) {
            fullLogged.set(false);
        }
    }

    /** Returns the providers that are listed with it. */
    private static Set<EndpointId> providers(Key key, Directory listed) {
        Set<EndpointId> providers = new HashSet<>();
        List<Endpoint> endpoints = listed.endpoints(key.service.service());
        for (Endpoint endpoint : endpoints == null ? List.<Endpoint>of() : endpoints) {
            if (endpoint.exports().stream().anyMatch(key::isOf)) {
                providers.add(endpoint.id());
            }
        }
        return providers;
    }

    /**
     * Called when a connection to the provider is open again: if no revision tells its releases apart, it may be
     * another one with other types.
     */
    void connectedAgain(EndpointId provider) {
        declared.connectedAgain(provider);
        searches.forEach((key, search) -> {
            if (key.revision.isEmpty() && search.askFirst(provider)) {
                search.ask();
            }
        });
    }

    private void enqueue(Search search) {
        synchronized (this) {
            queue.add(search);
        }
        next();
    }

    /** Begins searches as long as there are some and few are under way. */
    private void next() {
        while (true) {
            Search search;
            synchronized (this) {
                if (queue.isEmpty() || underWay >= SEARCHES_AT_ONCE) {
                    return;
                }
                underWay++;
                search = queue.remove();
            }
            CompletableFuture<ServiceDefinitions> question;
            try {
                question = search.question();
            } catch (RuntimeException e) {
                question = CompletableFuture.failedFuture(e);
            }
            question.whenComplete((found, failure) -> ended(search, found, failure));
        }
    }

    private void ended(Search search, ServiceDefinitions found, Throwable failure) {
        if (failure != null) {
            LOG.warn("methods and types of service {}", search.key.service, failure);
        }
        search.take(found);
        synchronized (this) {
            underWay--;
        }
        next();
    }

    /**
     * Whether calls wait for the first search of a service.
     * <pre>
     *   UNAWAITED --a call comes--> AWAITED --the search ends, or takes too long--> SETTLED
     *   UNAWAITED --the search ends--> SETTLED
     * </pre>
     */
    private enum FirstSearch {
        /** No call has come. */
        UNAWAITED,
        /** A call may wait. */
        AWAITED,
        /** The search has ended, or has taken so long that calls go on without it. */
        SETTLED
    }

    /** The search for the types of one service. */
    private final class Search {
        private final Key key;
        private final ServedServices service;
        /** The providers that serve it; they are asked in turns. Guarded by this. */
        private final Set<EndpointId> providers = new LinkedHashSet<>();

        /** Guarded by this. */
        private final Backoff backoff = new Backoff(FIRST_RETRY_MS, MAX_RETRY_MS);
        /** The pauses before a metadata report is read again that may still come. Guarded by this. */
        private final Backoff reportPauses = new Backoff(FIRST_RETRY_MS, MAX_REPORT_PAUSE_MS);

        private volatile ServiceDefinitions known = ServiceDefinitions.NONE;
        private final AtomicReference<FirstSearch> first = new AtomicReference<>(FirstSearch.UNAWAITED);
        /** Guarded by this. */
        private boolean asking;
        /** Whether it will be asked again after a pause. Guarded by this. */
        private boolean retrying;
        /** Guarded by this. */
        private int questions = MAX_QUESTIONS;
        /** Guarded by this. */
        private EndpointId asked;
        /** The discovery of {@link #asked}. */
        private ProviderDiscovery discovery;

        private Search(Key key, ServedServices service, EndpointId provider) {
            this.key = key;
            this.service = service;
            providers.add(provider);
        }

        private synchronized void add(EndpointId provider) {
            providers.add(provider);
        }

        /** Forgets the others. */
        private synchronized void retain(Set<EndpointId> listed) {
            providers.retainAll(listed);
            if (providers.isEmpty()) {
                providers.addAll(listed);
            }
        }

        /** Returns false if the provider is none of them. */
        private synchronized boolean askFirst(EndpointId provider) {
            if (!providers.contains(provider)) {
                return false;
            }
            asked = null;
            LinkedHashSet<EndpointId> others = new LinkedHashSet<>(providers);
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
            enqueue(this);
        }

        private boolean isAwaited() {
            if (first.compareAndSet(FirstSearch.UNAWAITED, FirstSearch.AWAITED)) {
                CompletableFuture.delayedExecutor(waitMs, TimeUnit.MILLISECONDS).execute(this::overdue);
            }
            return first.get() == FirstSearch.AWAITED;
        }

        private void overdue() {
            if (first.getAndSet(FirstSearch.SETTLED) == FirstSearch.SETTLED) {
                return;
            }
            if (!overdueLogged.getAndSet(true)) {
                LOG.warn(
                        "methods and types of service {}: not found within {} ms; its calls go on as if nothing were known"
                                + " of them, and so do those of other services that take as long",
                        key.service,
                        waitMs);
            }
            changed.run();
        }

        private CompletableFuture<ServiceDefinitions> question() {
            return discovery().definitions(0);
        }

        private synchronized ProviderDiscovery discovery() {
            EndpointId provider = providers.iterator().next();
            if (!provider.equals(asked)) {
                asked = provider;
                discovery = ServiceTypes.this.discovery(
                        provider, service, settings.discovery().of(key.application), key.registersTls);
            }
            return discovery;
        }

        private void take(ServiceDefinitions found) {
            ServiceDefinitions before = known;
            synchronized (this) {
                asking = false;
                if (found != null) {
                    known = found.or(before).sharedBy(shared);
                    askLater(found);
                }
            }
            FirstSearch stage = first.getAndSet(FirstSearch.SETTLED);
            if (stage != FirstSearch.SETTLED) {
                overdueLogged.set(false);
            }
            if (stage == FirstSearch.AWAITED || !known.areThoseOf(before)) {
                changed.run();
            }
        }

        private void askLater(ServiceDefinitions found) {
            long pauseMs;
            if (!found.areAsked()) {
                pauseMs = backoff.nextMs();
                // The next one is asked then.
                EndpointId failed = providers.iterator().next();
                providers.remove(failed);
                providers.add(failed);
            } else {
                backoff.reset();
                if (found.areFinal() || questions-- <= 0) {
                    return;
                }
                pauseMs = reportPauses.nextMs();
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
