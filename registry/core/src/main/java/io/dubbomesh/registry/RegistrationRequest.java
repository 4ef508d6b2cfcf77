package io.dubbomesh.registry;

import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.runtime.HostPort;
import io.netty.util.NetUtil;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;

/**
 * The data that a provider agent registers.
 *
 * @param host     where consumer agents reach it; null: the local address of the connection to the registry
 * @param services the versions and groups that are served, by interface; none means {@link Variant#NONE}. See also
 *                 {@link Registration#select}
 * @param timeouts of services how long their calls may take, as in {@link Endpoint#timeouts}
 * @param provider where the agent reaches its provider; null if it is not to be told
 * @param zone     as in {@link Endpoint#zone}
 */
public record RegistrationRequest(
        String host,
        int port,
        int weight,
        int limit,
        Map<String, List<Variant>> services,
        Map<String, Map<Variant, Map<String, String>>> timeouts,
        HostPort provider,
        String zone) {
    public RegistrationRequest {
        if (host != null) {
            host = checkedHost(host);
        }
        expect("advertise.port", port, 1, 65_535);
        expect("lb.weight", weight, 0, Endpoint.MAX_WEIGHT);
        expect("lb.limit", limit, 1, EndpointCodec.MAX_LIMIT);
        ZoneName.checked(zone);
        services = Map.copyOf(services);
        timeouts = Map.copyOf(timeouts);
        for (Map.Entry<String, List<Variant>> service : services.entrySet()) {
            EndpointCodec.checkService(service.getKey());
            EndpointCodec.leavingValue(Endpoint.MAX_WEIGHT, limit, service.getValue());
            EndpointCodec.value(new EndpointCodec.Value(
                    Endpoint.MAX_WEIGHT,
                    limit,
                    service.getValue(),
                    timeouts.getOrDefault(service.getKey(), Map.of()),
                    "",
                    "",
                    0,
                    false));
        }
    }

    /** Creates the request of an agent that names neither its provider nor its zone. */
    public RegistrationRequest(String host, int port, int weight, int limit, Map<String, List<Variant>> services) {
        this(host, port, weight, limit, services, Map.of(), null, "");
    }

    /** Returns the value of the key of one service. */
    public String value(String service, int ofWeight, int capacity, List<Variant> variants, String providerAddress) {
        return EndpointCodec.value(new EndpointCodec.Value(
                ofWeight,
                limit,
                variants,
                timeouts.getOrDefault(service, Map.of()),
                providerAddress,
                zone,
                capacity,
                false));
    }

    /**
     * Returns the {@code host:port} at which Dubbo registers the provider, as far as an agent can know; empty if it
     * cannot. Looks up a provider's name.
     *
     * @param registeredHost of the agent: that of a provider to which it goes by the loopback address too
     */
    public String providerAddress(String registeredHost) {
        if (provider == null) {
            return "";
        }
        try {
            byte[] bytes = NetUtil.createByteArrayFromIpAddressString(provider.host());
            InetAddress address =
                    bytes == null ? InetAddress.getByName(provider.host()) : InetAddress.getByAddress(bytes);
            boolean isHere = address.isLoopbackAddress() || address.isAnyLocalAddress();
            String host = isHere ? registeredHost : NetUtil.toAddressString(address);
            return new HostPort(ReachableAddress.checkedHost(host), provider.port()).toString();
        } catch (UnknownHostException | IllegalArgumentException e) {
            return "";
        }
    }

    /**
     * @throws IllegalArgumentException if a request with this service may be refused; its message says what was
     *     expected
     */
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
