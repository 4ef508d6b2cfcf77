package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.registry.address.EndpointId;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Services that endpoints have said they do not serve, though they are listed or have lapsed: another agent may have
 * been started at the address of one that is gone. It holds for the connection on which it was said, and until the
 * registry lists other endpoints of the service. Of an endpoint that this agent has given up, whose connection tells
 * nothing any more, it holds for a minute: otherwise it would be chosen, connected and given up again with each call.
 */
final class UnservedServices {
    private static final long GIVEN_UP_NS = TimeUnit.MINUTES.toNanos(1);

    private final Map<String, Map<EndpointId, Said>> services = new HashMap<>();

    /**
     * A statement of an endpoint.
     *
     * @param endpoint   null for one that was given up
     * @param connection see {@link ProviderEndpoint#connection}
     * @param untilNs    of one that was given up
     */
    private record Said(ProviderEndpoint endpoint, int connection, long untilNs) {
        boolean isBy(ProviderEndpoint other) {
            return endpoint == other && connection == other.connection();
        }
    }

    /** Returns false if it was known. */
    boolean add(String service, ProviderEndpoint endpoint) {
        Said before = services.computeIfAbsent(service, name -> new HashMap<>())
                .put(endpoint.id(), new Said(endpoint, endpoint.connection(), 0));
        return before == null || before.endpoint != null && !before.isBy(endpoint);
    }

    /** @param endpoint of this id; null for none */
    boolean contains(String service, EndpointId id, ProviderEndpoint endpoint) {
        Said said = services.getOrDefault(service, Map.of()).get(id);
        return said != null && (said.endpoint == null || endpoint != null && said.isBy(endpoint));
    }

    boolean isEmpty() {
        return services.isEmpty();
    }

    /** Forgets a service, whose endpoints are listed anew, or which has no pool any more. */
    void remove(String service) {
        services.remove(service);
    }

    /** Forgets an endpoint, whose connection has ended; returns the services. */
    Set<String> remove(ProviderEndpoint endpoint) {
        return removeIf(said -> said.endpoint == endpoint);
    }

    /** Forgets those that were given up long ago; returns the services. */
    Set<String> expire(long nowNs) {
        return removeIf(said -> said.endpoint == null && nowNs - said.untilNs >= 0);
    }

    private Set<String> removeIf(Predicate<Said> isOver) {
        Set<String> changed = new HashSet<>();
        services.forEach((service, endpoints) -> {
            if (endpoints.values().removeIf(isOver)) {
                changed.add(service);
            }
        });
        services.values().removeIf(Map::isEmpty);
        return changed;
    }

    /** Called when no pool needs the endpoint any more: its connection will be closed. */
    void endpointRetired(ProviderEndpoint endpoint, long nowNs) {
        for (Map<EndpointId, Said> endpoints : services.values()) {
            Said said = endpoints.get(endpoint.id());
            if (said != null && said.isBy(endpoint)) {
                endpoints.put(endpoint.id(), new Said(null, 0, nowNs + GIVEN_UP_NS));
            }
        }
    }
}
