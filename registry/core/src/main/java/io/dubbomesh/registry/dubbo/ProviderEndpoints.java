package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes endpoints of the entries of a service. Several entries with one address are one endpoint: the versions and
 * groups of the service there, and a provider that registered by interface and by instance, or that was started again
 * before its old entry ended.
 */
final class ProviderEndpoints {
    private ProviderEndpoints() {}

    /**
     * Returns the endpoints of one service, ordered by address.
     *
     * @param overrides  in the order in which they are applied
     * @param configured likewise, after them
     */
    static List<Endpoint> of(
            String service,
            Collection<DubboProvider> registered,
            List<DubboOverride> overrides,
            List<RuleDocuments.OfVariant> configured) {
        Collection<List<DubboProvider>> byAddress = byAddress(overridden(service, registered, overrides, configured))
                .values();
        Set<Variant> healthy = new HashSet<>();
        byAddress.forEach(atAddress -> atAddress.stream()
                .filter(provider -> provider.enabled() && provider.healthy() && provider.weight() > 0)
                .forEach(provider -> healthy.add(provider.export().variant())));
        List<Endpoint> endpoints = new ArrayList<>();
        for (List<DubboProvider> atAddress : byAddress) {
            endpoints.add(endpoint(atAddress, healthy));
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

    /**
     * Returns one of each version and group, without those of Triple where the host speaks Dubbo's own protocol, too.
     */
    private static Map<String, List<DubboProvider>> byAddress(Collection<DubboProvider> all) {
        record At(String address, Variant variant) {}
        record On(String host, Variant variant) {}
        Map<At, DubboProvider> chosen = new HashMap<>();
        Set<On> dubbo = new HashSet<>();
        for (DubboProvider provider : all) {
            Variant variant = provider.export().variant();
            chosen.merge(new At(provider.address().toString(), variant), provider, ProviderEndpoints::better);
            if (!provider.isTriple()) {
                dubbo.add(new On(provider.address().host(), variant));
            }
        }
        Map<String, List<DubboProvider>> byAddress = new TreeMap<>();
        chosen.forEach((at, provider) -> {
            if (!provider.isTriple()
                    || !dubbo.contains(new On(provider.address().host(), at.variant()))) {
                byAddress
                        .computeIfAbsent(at.address(), address -> new ArrayList<>())
                        .add(provider);
            }
        });
        return byAddress;
    }

    /**
     * Dubbo's own protocol, then what tells the revision, then the later start, then what is taken out, then what is
     * healthy; the order does not depend on that of the entries.
     */
    private static DubboProvider better(DubboProvider a, DubboProvider b) {
        if (a.isTriple() != b.isTriple()) {
            return a.isTriple() ? b : a;
        }
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
    private static Endpoint endpoint(List<DubboProvider> atAddress, Set<Variant> healthy) {
        List<DubboProvider> taken = atAddress.stream()
                .filter(provider -> provider.enabled()
                        && (provider.healthy()
                                || !healthy.contains(provider.export().variant())))
                .toList();
        int weight = taken.stream().mapToInt(DubboProvider::weight).max().orElse(0);
        List<DubboExport> exports = (taken.isEmpty() ? atAddress : taken)
                .stream()
                        .map(DubboProvider::export)
                        .sorted(Comparator.comparing(export -> export.variant().toString()))
                        .toList();
        return new Endpoint(
                atAddress.get(0).address().host(),
                atAddress.get(0).address().port(),
                weight,
                Endpoint.DEFAULT_LIMIT,
                exports.stream().map(DubboExport::variant).toList(),
                exports);
    }
}
