package io.dubbomesh.registry;

import java.util.List;
import java.util.Map;

/**
 * What a provider agent registers.
 *
 * @param host     where consumer agents reach it; null: the local address of the connection to the registry
 * @param services the versions and groups that are served, by interface; none means {@link Variant#NONE}. See also
 *                 {@link Registration#select}
 */
public record RegistrationRequest(String host, int port, int weight, int limit, Map<String, List<Variant>> services) {
    public RegistrationRequest {
        if (host != null) {
            host = checkedHost(host);
        }
        expect("advertise.port", port, 1, 65_535);
        expect("lb.weight", weight, 0, Endpoint.MAX_WEIGHT);
        expect("lb.limit", limit, 1, EndpointCodec.MAX_LIMIT);
        services = Map.copyOf(services);
        services.forEach((service, variants) -> {
            EndpointCodec.checkService(service);
            EndpointCodec.leavingValue(Endpoint.MAX_WEIGHT, limit, variants);
        });
    }

    /** @throws IllegalArgumentException if a request with this service may be refused; its message says what was expected */
    public static void checkService(String service, List<Variant> variants) {
        EndpointCodec.checkService(service);
        EndpointCodec.leavingValue(Endpoint.MAX_WEIGHT, EndpointCodec.MAX_LIMIT, variants);
    }

    private static String checkedHost(String host) {
        try {
            return ReachableAddress.checkedHost(host);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("advertise.host: " + e.getMessage(), e);
        }
    }

    private static void expect(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + min + "-" + max + ")");
        }
    }
}
