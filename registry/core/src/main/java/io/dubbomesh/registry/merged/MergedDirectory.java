package io.dubbomesh.registry.merged;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutingRules;
import io.dubbomesh.registry.RuleReport;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes one directory of those of several registries; of an address that two of them list for a service, by whatever
 * protocol, the entry of the first counts.
 */
public final class MergedDirectory {
    private Map<String, Merged> merged = Map.of();

    /** Creates one that has seen no directory yet. */
    public MergedDirectory() {}

    /** Lists of one service, and the one made of them. */
    private record Merged(List<List<Endpoint>> parts, List<Endpoint> endpoints) {
        boolean isOf(List<List<Endpoint>> others) {
            boolean same = parts.size() == others.size();
            for (int i = 0; same && i < others.size(); i++) {
                same = parts.get(i) == others.get(i);
            }
            return same;
        }
    }

    /**
     * Merges directories. The lists of services about which nothing changed since the last call are the same objects as
     * then.
     */
    public Directory of(List<Directory> directories) {
        Map<String, List<List<Endpoint>>> parts = new HashMap<>();
        for (Directory directory : directories) {
            for (String service : directory.services()) {
                parts.computeIfAbsent(service, name -> new ArrayList<>(1)).add(directory.endpoints(service));
            }
        }
        Map<String, Merged> now = new HashMap<>();
        Map<String, List<Endpoint>> services = new HashMap<>();
        Map<String, Set<String>> deregistered = new HashMap<>();
        parts.forEach((service, lists) -> {
            Merged before = merged.get(service);
            Merged all = before != null && before.isOf(lists) ? before : merge(lists);
            now.put(service, all);
            services.put(service, all.endpoints());
            Set<String> gone = new HashSet<>();
            directories.forEach(directory -> gone.addAll(directory.deregistered(service)));
            if (!gone.isEmpty()) {
                all.endpoints().forEach(endpoint -> gone.remove(endpoint.address()));
                deregistered.put(service, gone);
            }
        });
        merged = now;
        UnknownExports unknown =
                directories.stream().map(Directory::unknownExports).reduce(UnknownExports.NONE, UnknownExports::and);
        Set<Endpoint> foreign = new HashSet<>();
        directories.forEach(directory -> foreign.addAll(directory.foreignInstances()));
        return withRules(Directory.of(services, deregistered).withUnknown(unknown, foreign), directories);
    }

    /** Adds the rules; where two registries have some for one service, those of the first count. */
    private static Directory withRules(Directory made, List<Directory> directories) {
        Map<String, RoutingRules> rules = new HashMap<>();
        List<RuleReport> reports = new ArrayList<>();
        for (Directory directory : directories) {
            reports.addAll(directory.ruleReports());
            for (String service : directory.services()) {
                RoutingRules ofService = directory.rules(service);
                if (ofService != null) {
                    rules.putIfAbsent(service, ofService);
                }
            }
        }
        return rules.isEmpty() && reports.isEmpty() ? made : made.withRules(rules, reports);
    }

    private static Merged merge(List<List<Endpoint>> lists) {
        if (lists.size() == 1) {
            return new Merged(lists, lists.get(0));
        }
        Map<String, Endpoint> byAddress = new TreeMap<>();
        Map<HostPort, Set<Variant>> offered = new HashMap<>();
        for (List<Endpoint> list : lists) {
            for (Endpoint endpoint : list) {
                Endpoint left =
                        without(endpoint, offered.getOrDefault(endpoint.id().address(), Set.of()));
                if (left != null) {
                    byAddress.putIfAbsent(endpoint.address(), left);
                }
            }
            for (Endpoint endpoint : list) {
                offered.computeIfAbsent(endpoint.id().address(), address -> new HashSet<>(2))
                        .addAll(endpoint.variants());
            }
        }
        return new Merged(lists, List.copyOf(byAddress.values()));
    }

    /** Returns what a provider offers beside these, maybe by another protocol; null if there is nothing. */
    private static Endpoint without(Endpoint provider, Set<Variant> offered) {
        if (offered.isEmpty() || !provider.isDirect()) {
            return provider;
        }
        List<DubboExport> others = provider.exports().stream()
                .filter(export -> !offered.contains(export.variant()))
                .toList();
        if (others.isEmpty()) {
            return null;
        }
        return others.size() == provider.exports().size() ? provider : provider.withExports(others);
    }
}
