package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.HostPort;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The endpoints that the registry does not list any more though they did not deregister: an agent that is cut off from
 * the registry loses its lease, but still takes calls. They stay in use as long as their links take calls.
 */
public final class LapsedEndpoints {
    private final Map<String, List<Endpoint>> byService = new HashMap<>();
    private final Map<String, Usable> usable = new HashMap<>();

    /** Kept so that a service of which nothing has changed has the same list. */
    private record Usable(List<Endpoint> lapsed, List<Endpoint> listed, List<Endpoint> all) {
        boolean isOf(List<Endpoint> nowLapsed, List<Endpoint> nowListed) {
            return lapsed == nowLapsed && listed == nowListed;
        }
    }

    /**
     * Takes a new directory.
     *
     * @param before  null for none
     * @param isAlive whether the link to this endpoint takes calls
     */
    public void update(Directory before, Directory now, Predicate<Endpoint> isAlive) {
        if (before == null) {
            return;
        }
        for (String service : List.copyOf(byService.keySet())) {
            update(service, before, now, isAlive);
        }
        for (String service : before.services()) {
            if (before.endpoints(service) != now.endpoints(service) && !byService.containsKey(service)) {
                update(service, before, now, isAlive);
            }
        }
    }

    private void update(String service, Directory before, Directory now, Predicate<Endpoint> isAlive) {
        List<Endpoint> lapsed = new ArrayList<>();
        addAlive(of(service), isAlive, lapsed);
        addAlive(listed(before, service), isAlive, lapsed);
        // Most services have no endpoint with a link.
        if (!lapsed.isEmpty()) {
            // A provider that is listed by another protocol has given up the former one.
            Set<HostPort> listed = new HashSet<>();
            listed(now, service).forEach(endpoint -> listed.add(endpoint.id().address()));
            lapsed.removeIf(endpoint ->
                    listed.contains(endpoint.id().address()) || now.isDeregistered(service, endpoint.address()));
        }
        set(service, lapsed);
    }

    private void set(String service, List<Endpoint> lapsed) {
        if (lapsed.isEmpty()) {
            byService.remove(service);
            usable.remove(service);
        } else if (!lapsed.equals(byService.get(service))) {
            byService.put(service, List.copyOf(lapsed));
        }
    }

    private static void addAlive(List<Endpoint> endpoints, Predicate<Endpoint> isAlive, List<Endpoint> to) {
        for (Endpoint endpoint : endpoints) {
            if (isAlive.test(endpoint)) {
                to.add(endpoint);
            }
        }
    }

    private static List<Endpoint> listed(Directory directory, String service) {
        List<Endpoint> listed = directory == null ? null : directory.endpoints(service);
        return listed == null ? List.of() : listed;
    }

    List<Endpoint> of(String service) {
        return byService.getOrDefault(service, List.of());
    }

    /**
     * Returns the lapsed endpoints and the others. The same object as long as neither has changed.
     *
     * @param listed that the directory has of the service; null for none
     */
    public List<Endpoint> withListed(String service, List<Endpoint> listed) {
        List<Endpoint> others = listed == null ? List.of() : listed;
        List<Endpoint> lapsed = byService.get(service);
        if (lapsed == null) {
            return others;
        }
        Usable known = usable.get(service);
        if (known == null || !known.isOf(lapsed, others)) {
            List<Endpoint> all = new ArrayList<>(lapsed);
            all.addAll(others);
            known = new Usable(lapsed, others, all);
            usable.put(service, known);
        }
        return known.all;
    }

    public boolean isEmpty() {
        return byService.isEmpty();
    }

    /** Forgets an endpoint of one service, which it does not serve. */
    public void remove(String service, String address) {
        set(service, without(of(service), address));
    }

    private static List<Endpoint> without(List<Endpoint> endpoints, String address) {
        return endpoints.stream()
                .filter(endpoint -> !endpoint.address().equals(address))
                .toList();
    }

    /** Forgets an endpoint whose link is gone; returns the services that it was kept for. */
    public Set<String> remove(String address) {
        Set<String> services = new HashSet<>();
        for (Map.Entry<String, List<Endpoint>> entry : List.copyOf(byService.entrySet())) {
            List<Endpoint> left = without(entry.getValue(), address);
            if (left.size() < entry.getValue().size()) {
                set(entry.getKey(), left);
                services.add(entry.getKey());
            }
        }
        return services;
    }
}
