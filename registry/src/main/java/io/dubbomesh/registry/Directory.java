package io.dubbomesh.registry;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All services and their endpoints at one moment; immutable. */
public final class Directory {
    private final Map<String, List<Endpoint>> services;
    private final List<Endpoint> ofAnyService;

    private Directory(Map<String, List<Endpoint>> services, List<Endpoint> ofAnyService) {
        this.services = services;
        this.ofAnyService = ofAnyService;
    }

    /** @param services the endpoints by service, an empty list for one that was registered before */
    public static Directory of(Map<String, List<Endpoint>> services) {
        return new Directory(Map.copyOf(services), null);
    }

    /** The same endpoints for every service. */
    public static Directory ofAnyService(List<Endpoint> endpoints) {
        return new Directory(Map.of(), List.copyOf(endpoints));
    }

    /**
     * The endpoints of the service, ordered by address; null if it was never registered, empty if it is not registered any more.
     * The list is the same object as long as nothing about the service changed.
     */
    public List<Endpoint> endpoints(String service) {
        return ofAnyService == null ? services.get(service) : ofAnyService;
    }

    /** Every endpoint of every service, once, with the weight of any of its services. */
    public Collection<Endpoint> all() {
        if (ofAnyService != null) {
            return ofAnyService;
        }
        Map<String, Endpoint> byAddress = new HashMap<>();
        services.values().forEach(endpoints -> endpoints.forEach(e -> byAddress.putIfAbsent(e.address(), e)));
        return byAddress.values();
    }

    /** Every service that was ever registered. */
    public Set<String> services() {
        return services.keySet();
    }

    @Override
    public String toString() {
        return ofAnyService == null ? services.toString() : ofAnyService.toString();
    }
}
