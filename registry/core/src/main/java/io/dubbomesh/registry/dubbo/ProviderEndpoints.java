package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.HostPort;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Makes endpoints of the entries of a service. Several entries with one address and protocol are one endpoint: the
 * versions and groups of the service there, and a provider that registered by interface and by instance, or that was
 * started again before its old entry ended.
 */
final class ProviderEndpoints {
    private ProviderEndpoints() {}

    /**
     * Returns the endpoints of one service, ordered by address.
     *
     * @param overrides  in the order in which they are applied
     * @param configured likewise, after them
     * @param preferred  the protocol by which a provider is called that offers several
     * @param instanceAt as in {@link OfferedOnce#of}
     */
    static List<Endpoint> of(
            String service,
            Collection<DubboProvider> registered,
            List<DubboOverride> overrides,
            List<RuleDocuments.OfVariant> configured,
            EndpointProtocol preferred,
            Function<HostPort, String> instanceAt) {
        Collection<List<DubboProvider>> byId = byId(
                        overridden(service, registered, overrides, configured), preferred, instanceAt)
                .values();
        Set<Variant> healthy = new HashSet<>();
        byId.forEach(ofEndpoint -> ofEndpoint.stream()
                .filter(provider -> provider.enabled() && provider.healthy() && provider.weight() > 0)
                .forEach(provider -> healthy.add(provider.export().variant())));
        List<Endpoint> endpoints = new ArrayList<>();
        for (List<DubboProvider> ofEndpoint : byId) {
            endpoints.add(endpoint(ofEndpoint, healthy));
        }
        return endpoints;
    }

    private static Collection<DubboProvider> overridden(
            String service,
            Collection<DubboProvider> registered,
            List<DubboOverride> overrides,
            List<RuleDocuments.OfVariant> configured) {
        if (overrides.isEmpty() && configured.isEmpty()) {
            return registered;
        }
        List<DubboProvider> overridden = new ArrayList<>();
        for (DubboProvider provider : registered) {
            DubboProvider changing = provider;
            for (DubboOverride override : overrides) {
                changing = override.applied(changing);
            }
            for (RuleDocuments.OfVariant override : configured) {
                changing = override.applied(service, changing);
            }
            overridden.add(changing);
        }
        return overridden;
    }

    /** Returns one entry of each version and group of each endpoint. */
    private static Map<String, List<DubboProvider>> byId(
            Collection<DubboProvider> all, EndpointProtocol preferred, Function<HostPort, String> instanceAt) {
        record At(EndpointId id, Variant variant) {}
        Map<At, DubboProvider> chosen = new HashMap<>();
        for (DubboProvider provider : all) {
            chosen.merge(new At(provider.id(), provider.export().variant()), provider, ProviderEndpoints::better);
        }
        Collection<DubboProvider> once =
                isMixed(all) ? OfferedOnce.of(all, chosen.values(), preferred, instanceAt) : chosen.values();
        Map<String, List<DubboProvider>> byId = new TreeMap<>();
        for (DubboProvider provider : once) {
            byId.computeIfAbsent(provider.id().toString(), id -> new ArrayList<>(1))
                    .add(provider);
        }
        return byId;
    }

    /** Returns whether these are of several protocols. */
    static boolean isMixed(Collection<DubboProvider> all) {
        EndpointProtocol first = null;
        for (DubboProvider provider : all) {
            EndpointProtocol protocol = provider.id().protocol();
            if (first != null && protocol != first) {
                return true;
            }
            first = protocol;
        }
        return false;
    }

    /**
     * What tells the revision, then the later start, then what is taken out, then what is healthy; the order does not
     * depend on that of the entries.
     */
    private static DubboProvider better(DubboProvider a, DubboProvider b) {
        if (a.export().revision().isEmpty() != b.export().revision().isEmpty()) {
            return a.export().revision().isEmpty() ? b : a;
        }
        if (a.startMs() != b.startMs()) {
            return a.startMs() > b.startMs() ? a : b;
        }
        if (a.enabled() != b.enabled()) {
            return a.enabled() ? b : a;
        }
        if (a.healthy() != b.healthy()) {
            return a.healthy() ? a : b;
        }
        return a.export()
                                .parameters()
                                .toString()
                                .compareTo(b.export().parameters().toString())
                        <= 0
                ? a
                : b;
    }

    /** @param healthy versions and groups of which a healthy provider takes calls */
    private static Endpoint endpoint(List<DubboProvider> ofEndpoint, Set<Variant> healthy) {
        List<DubboProvider> taken = ofEndpoint.stream()
                .filter(provider -> provider.enabled()
                        && (provider.healthy()
                                || !healthy.contains(provider.export().variant())))
                .toList();
        int weight = taken.stream().mapToInt(DubboProvider::weight).max().orElse(0);
        List<DubboExport> exports = (taken.isEmpty() ? ofEndpoint : taken)
                .stream()
                        .map(DubboProvider::export)
                        .sorted(Comparator.comparing(export -> export.variant().toString()))
                        .toList();
        return new Endpoint(
                ofEndpoint.get(0).address().host(),
                ofEndpoint.get(0).address().port(),
                weight,
                Endpoint.DEFAULT_LIMIT,
                exports.stream().map(DubboExport::variant).toList(),
                exports);
    }
}
