package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;

import java.util.List;

/**
 * A provider agent as it is registered for one service.
 *
 * @param host     a name or an IP address, IPv6 without brackets
 * @param weight   its share of the calls, 0 to 1000; 0 means no new calls
 * @param limit    calls in service at once; what the agent itself says when linked overrules it
 * @param variants the versions and groups of the service that it serves; empty where the registry knows nothing of them
 */
public record Endpoint(String host, int port, int weight, int limit, List<Variant> variants) {
    public static final int MAX_WEIGHT = 1000;

    /** The weight of a registration that names none. */
    public static final int DEFAULT_WEIGHT = 1;

    /** The limit of a registration that names none: a Dubbo provider's pool of 200 threads, less a tenth. */
    public static final int DEFAULT_LIMIT = 180;

    public Endpoint {
        variants = List.copyOf(variants);
    }

    /** Whether it serves this version and group, as far as the registry knows. */
    public boolean serves(String version, String group) {
        return variants.isEmpty() || variants.contains(new Variant(version, group));
    }

    /** {@code host:port}, {@code [host]:port} for IPv6: the name of the agent, whatever the service. */
    public String address() {
        return new HostPort(host, port).toString();
    }
}
