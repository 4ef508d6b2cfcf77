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
 * The endpoints that the registry does not list any more though they did not deregister: an agent that is cut off from the registry loses its
 * lease, but still takes calls. They stay in use as long as their links take calls.
 */
final class LapsedEndpoints {
    private final Map<String, List<Endpoint>> byService = new HashMap<>();

    /**
     * Takes a new directory.
     *
     * @param before  null for none
     * @param isAlive whether the link to this address takes calls
     */
    void update(Directory before, Directory now, Predicate<String> isAlive) {
        Set<String> services = new HashSet<>(byService.keySet());
        if (before != null) {
            services.addAll(before.services());
        }
        for (String service : services) {
            if (byService.containsKey(service) || before.endpoints(service) != now.endpoints(service)) {
                update(service, before, now, isAlive);
            }
        }
    }

    private void update(String service, Directory before, Directory now, Predicate<String> isAlive) {
        Set<String> listed = new HashSet<>();
        listed(now, service).forEach(endpoint -> listed.add(endpoint.address()));
        List<Endpoint> lapsed = new ArrayList<>(of(service));
        lapsed.addAll(listed(before, service));
        lapsed.removeIf(endpoint -> {
            String address = endpoint.address();
            return listed.contains(address) || now.isDeregistered(service, address) || !isAlive.test(address);
        });
        if (lapsed.isEmpty()) {
            byService.remove(service);
        } else {
            byService.put(service, lapsed);
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

    /** Of all services. */
    Set<String> addresses() {
        Set<String> addresses = new HashSet<>();
        byService.values().forEach(endpoints -> endpoints.forEach(endpoint -> addresses.add(endpoint.address())));
        return addresses;
    }
}
