package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.discovery.DefinitionCache;
import io.dubbomesh.client.discovery.ProviderDiscovery;
import io.dubbomesh.client.discovery.ReportedDefinitions;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.discovery.ServiceDefinitions;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The methods and types of services that are called directly, by the revision of their provider: looked for once, one after the other, on threads of
 * their own. Used by all event loops.
 */
public final class ServiceTypes {
    /** Of an agent whose clients may name any service; nothing more is looked for then. */
    private static final int MAX_SERVICES = 10_000;

    private record Key(ServiceKey service, String application, String revision) {}

    /** Between questions for a metadata report that may still come, and how often it is asked for. */
    private static final long PAUSE_MS = 10_000;

    private static final int MAX_QUESTIONS = 30;

    private final DirectSettings settings;
    private final ReportedDefinitions reports;
    private final Runnable changed;
    /** Those that are being looked for, or are not known, have {@link ServiceDefinitions#NONE}. */
    private final Map<Key, ServiceDefinitions> found = new ConcurrentHashMap<>();
    /** Guarded by this. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /**
     * @param registry with metadata reports, or without
     * @param changed  is run by any thread when something was found
     */
    public ServiceTypes(DirectSettings settings, Registry registry, Runnable changed) {
        this.settings = settings;
        Path cache = settings.discovery().cache();
        reports =
                new ReportedDefinitions(registry.metadataReports(), cache == null ? null : new DefinitionCache(cache));
        this.changed = changed;
    }

    /**
     * Those of a service; null if they are not known, or not known yet.
     *
     * @param name   in the version and group that its calls go to
     * @param export as the provider registered it
     */
    ServiceDefinition definition(MethodName name, DubboExport export, HostPort provider) {
        ServiceKey service = new ServiceKey(name.service(), name.version(), name.group());
        Key key = new Key(service, export.application(), export.revision());
        ServiceDefinitions known = found.get(key);
        if (known == null && found.size() < MAX_SERVICES && found.putIfAbsent(key, ServiceDefinitions.NONE) == null) {
            find(key, provider);
        }
        return known == null ? null : known.definition(name);
    }

    private synchronized void find(Key key, HostPort provider) {
        ServedServices service;
        try {
            service = ServedServices.parse(List.of(key.service.toString()));
        } catch (IllegalArgumentException e) {
            // No interface has such a name.
            return;
        }
        ProviderDiscovery discovery = new ProviderDiscovery(
                provider,
                settings.dubbo().serialization(),
                service,
                settings.discovery().of(key.application),
                false,
                reports);
        last = last.thenCompose(before -> discovery.definitions(0))
                .thenAccept(definitions -> take(key, discovery, definitions, MAX_QUESTIONS));
    }

    private void take(Key key, ProviderDiscovery discovery, ServiceDefinitions definitions, int questions) {
        if (!definitions.areThoseOf(found.get(key))) {
            found.put(key, definitions);
            changed.run();
        }
        if (!definitions.areFinal() && questions > 0) {
            discovery.definitions(PAUSE_MS).thenAccept(later -> take(key, discovery, later, questions - 1));
        }
    }
}
