package io.dubbomesh.consumer.upstream;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;

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
final class LapsedEndpoints {
    private final Map<String, List<Endpoint>> byService = new HashMap<>();

    /**
     * Takes a new directory.
     *
     * @param before  null for none
     * @param isAlive whether the link to this endpoint takes calls
     */
    void update(Directory before, Directory now, Predicate<Endpoint> isAlive) {
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
        // Of most services no endpoint has a link.
        if (!lapsed.isEmpty()) {
            Set<String> listed = new HashSet<>();
            listed(now, service).forEach(endpoint -> listed.add(endpoint.address()));
            lapsed.removeIf(
                    endpoint -> listed.contains(endpoint.address()) || now.isDeregistered(service, endpoint.address()));
        }
        if (lapsed.isEmpty()) {
            byService.remove(service);
        } else {
            byService.put(service, lapsed);
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

    boolean isEmpty() {
        return byService.isEmpty();
    }

    /** Forgets an endpoint whose link is gone; returns the services that it was kept for. */
    Set<String> remove(String address) {
        Set<String> services = new HashSet<>();
        byService.forEach((service, endpoints) -> {
            if (endpoints.removeIf(endpoint -> endpoint.address().equals(address))) {
                services.add(service);
            }
        });
        byService.values().removeIf(List::isEmpty);
        return services;
    }
}
