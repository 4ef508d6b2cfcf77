package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.metrics.MetricSamples;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The registry's directory as one event loop sees it: an endpoint with its link for each provider agent, and for each variant of a
 * service that is called the pool of the endpoints that serve it. Owned by the loop.
 */
final class Services {
    /** Endpoints to which links are opened though no call needs them yet, so that first calls need not wait. */
    private static final int MAX_CONNECTED_IN_ADVANCE = 256;

    private static final int MAX_NAMESAKES = 3;

    private final IntFunction<LoadBalancer> newBalancer;
    private final HealthSettings health;
    private final Function<Endpoint, ProviderEndpoint> newEndpoint;
    private final QueueSettings queue;
    private final Map<String, ProviderEndpoint> endpoints = new HashMap<>();
    private final LapsedEndpoints lapsed = new LapsedEndpoints();
    private final Map<String, List<EndpointPool>> pools = new HashMap<>();
    /** By the index of a route; null where none of its calls found a pool yet. */
    private EndpointPool[] poolOfRoute = new EndpointPool[16];

    /** Null until it is loaded. */
    private Directory directory;

    Services(
            IntFunction<LoadBalancer> newBalancer,
            HealthSettings health,
            Function<Endpoint, ProviderEndpoint> newEndpoint,
            QueueSettings queue) {
        this.newBalancer = newBalancer;
        this.health = health;
        this.newEndpoint = newEndpoint;
        this.queue = queue;
    }

    /** Takes a new directory: opens links to new endpoints and retires those that are neither listed any more nor lapsed. */
    void update(Directory changed) {
        lapsed.update(directory, changed, this::isAlive);
        directory = changed;
        Map<String, Endpoint> listed = changed.byAddress();
        Set<String> unlisted = lapsed.addresses();
        listed.forEach((address, endpoint) -> endpoints.computeIfAbsent(address, absent -> connect(endpoint)));
        pools.values().forEach(variants -> variants.forEach(this::fillIfChanged));
        endpoints.entrySet().removeIf(known -> {
            boolean left = !listed.containsKey(known.getKey()) && !unlisted.contains(known.getKey());
            if (left) {
                known.getValue().retire();
            }
            return left;
        });
    }

    private ProviderEndpoint connect(Endpoint listed) {
        ProviderEndpoint endpoint = newEndpoint.apply(listed);
        if (endpoints.size() < MAX_CONNECTED_IN_ADVANCE) {
            endpoint.connect();
        }
        return endpoint;
    }

    private boolean isAlive(String address) {
        ProviderEndpoint endpoint = endpoints.get(address);
        return endpoint != null && endpoint.isAlive();
    }

    /** A directory has the same list as the one before for each service that did not change. */
    private void fillIfChanged(EndpointPool pool) {
        if (pool.filledFrom != usableEndpoints(pool.service)) {
            fill(pool);
        }
    }

    private void fill(EndpointPool pool) {
        List<ProviderEndpoint> members = new ArrayList<>();
        List<Endpoint> usable = usableEndpoints(pool.service);
        pool.filledFrom = usable;
        int[] weights = new int[usable.size()];
        for (Endpoint endpoint : usable) {
            if (endpoint.serves(pool.version, pool.group)) {
                weights[members.size()] = endpoint.weight();
                members.add(endpoints.get(endpoint.address()));
            }
        }
        pool.update(members, weights, System.nanoTime());
    }

    /** Those that are listed, and those that have lapsed. */
    private List<Endpoint> usableEndpoints(String service) {
        List<Endpoint> listed = directory.endpoints(service);
        List<Endpoint> unlisted = lapsed.of(service);
        if (unlisted.isEmpty()) {
            return listed == null ? List.of() : listed;
        }
        List<Endpoint> usable = new ArrayList<>(unlisted);
        if (listed != null) {
            usable.addAll(listed);
        }
        return usable;
    }

    /** An endpoint takes no new calls on its link, or the link is gone: if its entry has lapsed, nothing speaks for it any more. */
    void unavailable(ProviderEndpoint endpoint) {
        boolean replaced = endpoints.get(endpoint.toString()) != endpoint;
        if (replaced || lapsed.isEmpty()) {
            return;
        }
        Set<String> services = lapsed.remove(endpoint.toString());
        for (String service : services) {
            pools.getOrDefault(service, List.of()).forEach(this::fill);
        }
        if (!services.isEmpty() && !directory.byAddress().containsKey(endpoint.toString())) {
            endpoints.remove(endpoint.toString());
            endpoint.retire();
        }
    }

    /**
     * Checks the health of the endpoints of every pool; to be called at regular intervals.
     *
     * @param late if this check comes so late that the event loop may have kept calls waiting
     */
    void check(long nowNs, boolean late) {
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                pool.check(nowNs, late);
            }
        }
    }

    List<UpstreamState.EndpointState> endpointStates() {
        return endpoints.values().stream().map(ProviderEndpoint::state).toList();
    }

    List<UpstreamState.ServiceState> serviceStates() {
        return pools.values().stream()
                .flatMap(List::stream)
                .map(EndpointPool::state)
                .toList();
    }

    /** Whether the list is loaded and every endpoint on it has been tried. */
    boolean isReady() {
        return directory != null && endpoints.values().stream().allMatch(ProviderEndpoint::wasAttempted);
    }

    /**
     * The endpoints for calls of this route.
     *
     * @throws CallException if there are none; says why
     */
    EndpointPool poolOf(Route route) throws CallException {
        EndpointPool known = knownPool(route.index());
        if (known != null && !known.isEmpty()) {
            return known;
        }
        if (directory == null) {
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "the list of endpoints is not loaded yet: the registry has not answered since the start");
        }
        String service = route.name().service();
        List<Endpoint> usable = usableEndpoints(service);
        if (usable.isEmpty() && directory.endpoints(service) == null) {
            throw new CallException(
                    Outcome.SERVICE_NOT_FOUND, "service " + service + " was never registered" + namesakes(service));
        }
        if (usable.isEmpty()) {
            throw new CallException(
                    Outcome.NO_PROVIDER,
                    "no endpoint of " + service
                            + " is registered now: its last provider agent has deregistered, or was cut off"
                            + " from the registry and from this agent");
        }
        EndpointPool pool = findPool(route);
        if (route.isKept()) {
            pool.kept = true;
            keepPool(route.index(), pool);
        }
        return pool;
    }

    /** Which registered services have the same simple name, in another package or in other capitals. */
    private String namesakes(String service) {
        String simpleName = service.substring(service.lastIndexOf('.') + 1);
        List<String> found = new ArrayList<>();
        for (String registered : directory.services()) {
            int start = registered.length() - simpleName.length();
            if (!simpleName.isEmpty()
                    && (start == 0 || start > 0 && registered.charAt(start - 1) == '.')
                    && registered.regionMatches(true, start, simpleName, 0, simpleName.length())) {
                found.add(registered);
            }
        }
        Collections.sort(found);
        return found.isEmpty()
                ? ""
                : " (registered: " + String.join(", ", found.subList(0, Math.min(MAX_NAMESAKES, found.size()))) + ')';
    }

    private EndpointPool knownPool(int routeIndex) {
        return routeIndex >= 0 && routeIndex < poolOfRoute.length ? poolOfRoute[routeIndex] : null;
    }

    private void keepPool(int routeIndex, EndpointPool pool) {
        if (routeIndex >= poolOfRoute.length) {
            poolOfRoute = Arrays.copyOf(poolOfRoute, Math.max(routeIndex + 1, poolOfRoute.length * 2));
        }
        poolOfRoute[routeIndex] = pool;
    }

    /** Drops a pool that no known method uses: a client may invent services where the registry serves any. */
    void forgetUnlessKept(EndpointPool pool) {
        if (!pool.kept && pool.waiting.isEmpty()) {
            List<EndpointPool> variants = pools.get(pool.service);
            if (variants != null && variants.remove(pool) && variants.isEmpty()) {
                pools.remove(pool.service);
            }
        }
    }

    private EndpointPool findPool(Route route) throws CallException {
        String service = route.name().service();
        String version = route.name().version();
        String group = route.name().group();
        List<EndpointPool> variants = pools.get(service);
        if (variants != null) {
            for (EndpointPool pool : variants) {
                if (pool.version.equals(version) && pool.group.equals(group)) {
                    return pool;
                }
            }
        }
        EndpointPool pool =
                new EndpointPool(service, version, group, newBalancer, health, queue.newDelay(System.nanoTime()));
        fill(pool);
        if (pool.isEmpty()) {
            // Not kept: a client may invent versions and groups.
            throw new CallException(
                    Outcome.METHOD_NOT_FOUND,
                    "no provider agent serves " + service + " with version \"" + version + "\" and group \"" + group
                            + "\" (served: " + servedVariants(service) + ')');
        }
        pools.computeIfAbsent(service, name -> new ArrayList<>()).add(pool);
        return pool;
    }

    private String servedVariants(String service) {
        Set<Variant> served = new HashSet<>();
        usableEndpoints(service).forEach(endpoint -> served.addAll(endpoint.variants()));
        return Variant.list(served);
    }

    void addTo(MetricSamples samples) {
        endpoints.values().forEach(endpoint -> endpoint.addTo(samples));
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                for (PoolMember member : pool.members()) {
                    member.addTo(samples);
                }
            }
        }
    }

    void close() {
        endpoints.values().forEach(ProviderEndpoint::retire);
    }
}
