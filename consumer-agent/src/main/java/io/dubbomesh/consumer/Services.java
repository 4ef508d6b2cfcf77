package io.dubbomesh.consumer;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Who serves what, as one event loop sees it: the registry's list, an endpoint with its link for each provider agent on it, and for each
 * variant of a service that is called the pool of those that serve it. Owned by the loop.
 */
final class Services {
    private final LoopState loop;
    private final IntFunction<LoadBalancer> newBalancer;
    private final Map<String, ProviderEndpoint> endpoints = new HashMap<>();
    private final Map<String, List<EndpointPool>> pools = new HashMap<>();
    /** Null until it is loaded. */
    private Directory directory;

    Services(LoopState loop, IntFunction<LoadBalancer> newBalancer) {
        this.loop = loop;
        this.newBalancer = newBalancer;
    }

    /** Takes a new list of endpoints: opens what is new, keeps what stays, lets go what has left. */
    void update(Directory changed) {
        directory = changed;
        Set<String> listed = new HashSet<>();
        for (Endpoint endpoint : changed.all()) {
            listed.add(endpoint.address());
            endpoints.computeIfAbsent(endpoint.address(), address -> connect(endpoint));
        }
        pools.values().forEach(variants -> variants.forEach(this::fill));
        endpoints.values().removeIf(endpoint -> {
            boolean left = !listed.contains(endpoint.toString());
            if (left) {
                endpoint.retire();
            }
            return left;
        });
    }

    private ProviderEndpoint connect(Endpoint listed) {
        ProviderEndpoint endpoint = new ProviderEndpoint(listed.host(), listed.port(), loop);
        endpoint.connect();
        return endpoint;
    }

    private void fill(EndpointPool pool) {
        List<ProviderEndpoint> members = new ArrayList<>();
        List<Endpoint> listed = directory.endpoints(pool.service);
        int[] weights = new int[listed == null ? 0 : listed.size()];
        for (int i = 0; listed != null && i < listed.size(); i++) {
            Endpoint endpoint = listed.get(i);
            if (endpoint.serves(pool.version, pool.group)) {
                weights[members.size()] = endpoint.weight();
                members.add(endpoints.get(endpoint.address()));
            }
        }
        pool.update(members, weights);
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
        if (route.pool != null && !route.pool.isEmpty()) {
            return route.pool;
        }
        if (directory == null) {
            throw new CallException(Outcome.NO_PROVIDER, "the list of providers is not loaded yet");
        }
        String service = route.name.service();
        List<Endpoint> listed = directory.endpoints(service);
        if (listed == null) {
            throw new CallException(Outcome.SERVICE_NOT_FOUND, "service " + service + " was never registered");
        }
        if (listed.isEmpty()) {
            throw new CallException(Outcome.NO_PROVIDER, "nobody serves " + service + " now");
        }
        EndpointPool pool = findPool(route);
        if (route.isKept()) {
            pool.kept = true;
            route.pool = pool;
        }
        return pool;
    }

    /** Lets a pool go that no known method uses: a client may invent services where the registry serves any. */
    void forgetUnlessKept(EndpointPool pool) {
        if (!pool.kept && pool.waiting.isEmpty()) {
            List<EndpointPool> variants = pools.get(pool.service);
            if (variants != null && variants.remove(pool) && variants.isEmpty()) {
                pools.remove(pool.service);
            }
        }
    }

    private EndpointPool findPool(Route route) throws CallException {
        String service = route.name.service();
        String version = route.name.version();
        String group = route.name.group();
        List<EndpointPool> variants = pools.get(service);
        if (variants != null) {
            for (EndpointPool pool : variants) {
                if (pool.version.equals(version) && pool.group.equals(group)) {
                    return pool;
                }
            }
        }
        EndpointPool pool = new EndpointPool(service, version, group, newBalancer);
        fill(pool);
        if (pool.isEmpty()) {
            // Not kept: a client may invent versions and groups.
            throw new CallException(
                    Outcome.METHOD_NOT_FOUND,
                    "nobody serves " + service + " with version \"" + version + "\" and group \"" + group + '"');
        }
        pools.computeIfAbsent(service, name -> new ArrayList<>()).add(pool);
        return pool;
    }

    /** Visits the pools that there are now: what a visitor does can add some and let others go. */
    void forEachPool(Consumer<EndpointPool> visitor) {
        List<EndpointPool> present = new ArrayList<>();
        pools.values().forEach(present::addAll);
        present.forEach(visitor);
    }

    void close() {
        endpoints.values().forEach(ProviderEndpoint::retire);
    }
}
