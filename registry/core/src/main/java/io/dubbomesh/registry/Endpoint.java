package io.dubbomesh.registry;

import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;

import java.util.List;
import java.util.Map;

/**
 * A provider agent, or a Dubbo provider without one, as it is registered for one service.
 *
 * @param host     a name or an IP address, IPv6 without brackets
 * @param weight   its share of the calls, 0 to 1000; 0 means no new calls
 * @param limit    calls in service at once; the limit in the agent's HELLO overrides it
 * @param variants the versions and groups of the service that it serves; empty if the registry does not list them
 * @param provider of a provider agent the {@code host:port} at which Dubbo registers its provider, so that the two are
 *     known to be one; empty if it is not known, and for a Dubbo provider
 * @param exports of a Dubbo provider what it exports of the service, one for each of the variants, all by one protocol;
 *     empty for a provider agent
 * @param timeouts of a provider agent how long calls of its provider may take, by variant; named as Dubbo's parameters
 *     are, see {@link DubboExport#timeouts}
 * @param zone     where it is, see {@link ZoneName}; empty if it is not known
 * @param capacity of a provider agent with {@code lb.weight=auto} the calls a second that its provider can execute; 0
 *     if that is not known
 */
public record Endpoint(
        String host,
        int port,
        int weight,
        int limit,
        List<Variant> variants,
        String provider,
        List<DubboExport> exports,
        Map<Variant, Map<String, String>> timeouts,
        String zone,
        int capacity) {
    public static final int MAX_WEIGHT = 1000;

    /** The weight of a Dubbo provider that registers none: it corresponds to the weight 1 of a provider agent. */
    public static final int DIRECT_WEIGHT = 100;

    /** The weight of an entry without one. */
    public static final int DEFAULT_WEIGHT = 1;

    /** The limit of an entry without one: a Dubbo provider's pool of 200 threads, less a tenth. */
    public static final int DEFAULT_LIMIT = 180;

    public Endpoint {
        variants = List.copyOf(variants);
        exports = List.copyOf(exports);
        timeouts = Map.copyOf(timeouts);
    }

    /** An endpoint that names no zone, or, with exports, a Dubbo provider in the zone that these name. */
    public Endpoint(
            String host,
            int port,
            int weight,
            int limit,
            List<Variant> variants,
            String provider,
            List<DubboExport> exports,
            Map<Variant, Map<String, String>> timeouts) {
        this(host, port, weight, limit, variants, provider, exports, timeouts, zone(exports), 0);
    }

    /** A provider agent whose provider is not known, or, with exports, a Dubbo provider. */
    public Endpoint(String host, int port, int weight, int limit, List<Variant> variants, List<DubboExport> exports) {
        this(host, port, weight, limit, variants, "", exports, Map.of());
    }

    /** A provider agent whose provider is not known. */
    public Endpoint(String host, int port, int weight, int limit, List<Variant> variants) {
        this(host, port, weight, limit, variants, List.of());
    }

    private static String zone(List<DubboExport> exports) {
        for (DubboExport export : exports) {
            String zone = ZoneName.of(export.parameters());
            if (!zone.isEmpty()) {
                return zone;
            }
        }
        return "";
    }

    public Endpoint withWeight(int changed) {
        return new Endpoint(host, port, changed, limit, variants, provider, exports, timeouts, zone, capacity);
    }

    public Endpoint withZone(String changed) {
        return new Endpoint(host, port, weight, limit, variants, provider, exports, timeouts, changed, capacity);
    }

    /** Returns a Dubbo provider with others. */
    public Endpoint withExports(List<DubboExport> others) {
        List<Variant> left = others.stream().map(DubboExport::variant).toList();
        return new Endpoint(host, port, weight, limit, left, provider, others, timeouts, zone, capacity);
    }

    /** Returns whether it is a Dubbo provider that is called without a provider agent. */
    public boolean isDirect() {
        return !exports.isEmpty();
    }

    /**
     * Returns whether it serves this version and group, as far as the registry knows; see {@link Variant#isAskedForBy}.
     */
    public boolean serves(String version, String group) {
        if (variants.isEmpty()) {
            return true;
        }
        for (Variant variant : variants) {
            if (variant.isAskedForBy(version, group)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the protocol by which it is called. */
    public EndpointProtocol protocol() {
        return exports.isEmpty() ? EndpointProtocol.MESH : exports.get(0).protocol();
    }

    /** Returns whether it is a Dubbo provider that registers that it is called with TLS. */
    public boolean registersTls() {
        for (DubboExport export : exports) {
            if (export.registersTls()) {
                return true;
            }
        }
        return false;
    }

    /** Returns its identity: the same for all services that are offered there by the same protocol. */
    public EndpointId id() {
        return protocol().at(host, port);
    }

    /** Returns its {@link #id} in text: {@code host:port}, {@code [host]:port} for IPv6, or the same after a scheme. */
    public String address() {
        return id().toString();
    }

    // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at each
    // start, which takes it milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof Endpoint that
                && port == that.port
                && weight == that.weight
                && limit == that.limit
                && capacity == that.capacity
                && host.equals(that.host)
                && variants.equals(that.variants)
                && provider.equals(that.provider)
                && exports.equals(that.exports)
                && timeouts.equals(that.timeouts)
                && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        int hash = port;
        hash = 31 * hash + weight;
        hash = 31 * hash + limit;
        hash = 31 * hash + capacity;
        hash = 31 * hash + host.hashCode();
        hash = 31 * hash + variants.hashCode();
        hash = 31 * hash + provider.hashCode();
        hash = 31 * hash + exports.hashCode();
        hash = 31 * hash + timeouts.hashCode();
        hash = 31 * hash + zone.hashCode();
        return hash;
    }
}
