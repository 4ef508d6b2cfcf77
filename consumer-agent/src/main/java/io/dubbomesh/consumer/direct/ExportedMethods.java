package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.method.MethodCatalog;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.protocol.request.RequestFormat;
import io.dubbomesh.protocol.triple.TripleRequest;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.DubboProvider;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.metrics.CallMetrics;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The methods of one Dubbo provider, as the registry lists what it exports: each service with its versions and groups,
 * its token and its serialization. Owned by one event loop.
 */
final class ExportedMethods implements MethodCatalog {
    /** Dubbo takes its default from this version on, and ignores what else is configured; 3.1 refuses it. */
    private static final DubboVersion ALWAYS_TAKES_HESSIAN2 = new DubboVersion(3, 2);

    private static final DubboVersion READS_DECLARED_TYPES_BY_TRIPLE = new DubboVersion(3, 1);

    private final EndpointId id;
    private final HostPort provider;
    private final Serialization wanted;
    private final ServiceTypes types;
    private final ProviderTls tls;
    private final CallMetrics metrics;
    private final Consumer<Set<String>> tokens;
    /**
     * The entries of services that are called, by service, as long as nothing else is listed; those of the registry
     * only.
     */
    private final Map<String, Endpoint> called = new HashMap<>();
    /**
     * The last entries, by service, of services that are not listed any more without a deregistration of the provider.
     */
    private final Map<String, Endpoint> lapsed = new HashMap<>();

    private ServiceTokens configured;
    private Directory directory;
    /** Whether a method was refused since its service is not listed. */
    private boolean unlisted;

    private int revision;

    /**
     * @param wanted  the serialization of requests wherever the provider takes it
     * @param metrics   where calls count
     * @param configured the tokens of services of which the registry tells none
     * @param tokens    takes the tokens of the called services whenever there is another one
     */
    ExportedMethods(
            EndpointId id,
            Serialization wanted,
            ServiceTypes types,
            ProviderTls tls,
            CallMetrics metrics,
            Directory directory,
            ServiceTokens configured,
            Consumer<Set<String>> tokens) {
        this.id = id;
        provider = id.address();
        this.wanted = wanted;
        this.types = types;
        this.tls = tls;
        this.metrics = metrics;
        this.directory = directory;
        this.configured = configured;
        this.tokens = tokens;
        redactTokens();
    }

    /**
     * Takes a new directory. Methods are prepared again if a service that is called is exported differently, or may be
     * listed again.
     *
     * @param services those that were listed before, whose endpoints have changed, and that this provider is or was
     *     one of
     */
    void update(Directory changed, Collection<String> services) {
        Directory before = directory;
        directory = changed;
        lapsed.keySet().removeIf(service -> directory.isDeregistered(service, id.toString()));
        services.forEach(service -> keepLapsed(service, before));
        if (unlisted) {
            unlisted = false;
            revision++;
        }
        boolean same = true;
        for (Map.Entry<String, Endpoint> entry : called.entrySet()) {
            String service = entry.getKey();
            if (before.endpoints(service) != changed.endpoints(service)) {
                Endpoint listed = find(changed.endpoints(service));
                if (listed != null && !listed.exports().equals(entry.getValue().exports())) {
                    entry.setValue(listed);
                    same = false;
                }
            }
        }
        if (!same) {
            redactTokens();
            revision++;
        }
    }

    /**
     * Keeps the entry of a service that lapses when the registry, or the provider's way to it, is lost: the provider
     * may serve as before.
     */
    private void keepLapsed(String service, Directory before) {
        if (find(directory.endpoints(service)) != null || directory.isDeregistered(service, id.toString())) {
            lapsed.remove(service);
            return;
        }
        Endpoint last = find(before.endpoints(service));
        if (last != null) {
            lapsed.put(service, last);
        }
    }

    /** Called when types were found, or are waited for no more. */
    void typesFound() {
        revision++;
    }

    /** Takes the tokens of services of which the registry tells none. */
    void use(ServiceTokens changed) {
        configured = changed;
        redactTokens();
        revision++;
    }

    private void redactTokens() {
        Set<String> all = new HashSet<>(configured.values());
        called.values().forEach(entry -> entry.exports().forEach(export -> all.add(export.token())));
        all.remove("");
        tokens.accept(all);
    }

    /** Returns null if it is not among them. */
    private Endpoint find(List<Endpoint> endpoints) {
        if (endpoints != null) {
            for (Endpoint endpoint : endpoints) {
                if (endpoint.port() == provider.port() && endpoint.id().equals(id)) {
                    return endpoint;
                }
            }
        }
        return null;
    }

    /** Returns the provider's export for this name, which may ask for several versions or groups. */
    private DubboExport export(MethodName name) throws CallException {
        Endpoint entry = called.get(name.service());
        if (entry == null) {
            entry = find(directory.endpoints(name.service()));
            if (entry == null) {
                entry = lapsed.get(name.service());
            }
            if (entry == null) {
                unlisted = true;
                throw new CallException(Outcome.NO_PROVIDER, "service " + name.service() + " is not listed for " + id);
            }
            if (!entry.variants().isEmpty()) {
                called.put(name.service(), entry);
                redactTokens();
            }
        }
        for (DubboExport export : entry.exports()) {
            if (entry.variants().isEmpty() || export.variant().isAskedForBy(name.version(), name.group())) {
                return export;
            }
        }
        throw new CallException(
                Outcome.METHOD_NOT_FOUND, "service " + name.service() + " is not listed in this version and group");
    }

    @Override
    public MethodName resolve(MethodName name) throws CallException {
        DubboExport export = export(name);
        boolean listed = called.containsKey(name.service());
        return listed
                ? new MethodName(
                        name.service(),
                        name.method(),
                        name.descriptor(),
                        export.variant().version(),
                        export.variant().group())
                : name;
    }

    @Override
    public DubboRequest prepare(MethodName name) throws CallException {
        DubboExport export = export(name);
        String token = export.token().isEmpty()
                ? configured.token(name.service(), name.version(), name.group())
                : export.token();
        ExportedAs exported = new ExportedAs(
                export.parameters().get(DubboProvider.PATH),
                token,
                types.validation().isOf(name.method(), export.parameters()));
        Serialization serialization = serialization(export);
        return id.protocol() == EndpointProtocol.TRIPLE
                ? DubboRequest.prepare(name, triple(export, serialization), definition(name), exported)
                : DubboRequest.prepare(name, serialization, definition(name), exported);
    }

    private RequestFormat.Factory triple(DubboExport export, Serialization serialization) {
        DubboVersion version = DubboVersion.of(export);
        String authority = provider.toString();
        boolean isSecure = tls.isFor(export.registersTls());
        boolean areTypesRead = version.equals(DubboVersion.UNKNOWN)
                ? types.areRead(id)
                : version.isAtLeast(READS_DECLARED_TYPES_BY_TRIPLE);
        return areTypesRead
                ? TripleRequest.to(authority, isSecure, serialization)
                : TripleRequest.toDubbo30(authority, isSecure, serialization);
    }

    /**
     * Returns the wanted serialization if the provider takes it, even if it prefers another one: in hessian2 values are
     * exact. Else the first that is known here of those that it takes.
     */
    private Serialization serialization(DubboExport export) {
        List<Serialization> taken = Stream.of(
                        export.serialization().toLowerCase(Locale.ROOT).split(","))
                .map(String::strip)
                .filter(Serialization.names()::contains)
                .map(Serialization::named)
                .toList();
        boolean takesWanted = taken.isEmpty()
                || taken.contains(wanted)
                || wanted == Serialization.HESSIAN2 && DubboVersion.of(export).isAtLeast(ALWAYS_TAKES_HESSIAN2);
        return takesWanted ? wanted : taken.get(0);
    }

    @Override
    public boolean validates(MethodName name) {
        try {
            return types.validation().isOf(name.method(), export(name).parameters());
        } catch (CallException e) {
            return false;
        }
    }

    @Override
    public ServiceDefinition definition(MethodName name) {
        try {
            return types.definition(name, export(name), id);
        } catch (CallException e) {
            return null;
        }
    }

    @Override
    public boolean awaitsTypes(MethodName name) {
        try {
            return types.areAwaited(name, export(name), id);
        } catch (CallException e) {
            return false;
        }
    }

    @Override
    public int revision() {
        return revision;
    }

    @Override
    public CallMetrics metrics() {
        return metrics;
    }
}
