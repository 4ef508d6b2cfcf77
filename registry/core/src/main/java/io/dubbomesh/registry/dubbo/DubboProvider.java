package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.runtime.HostPort;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One entry of a provider: one version and group of a service at one address.
 *
 * @param weight  Dubbo's, cut at {@value Endpoint#MAX_WEIGHT}
 * @param enabled false if its own entry says that it takes no calls
 * @param healthy false if the registry has found it unhealthy: it takes no calls while others of its version and group
 *     are healthy
 * @param startMs when the provider started, by its own clock; 0 if it does not say so
 * @param process what the entries of one process on a host have in common, as far as they tell it
 */
public record DubboProvider(
        EndpointId id, int weight, boolean enabled, boolean healthy, long startMs, String process, DubboExport export) {
    public static final int DEFAULT_WEIGHT = 100;

    public static final String TRIPLE = "tri";
    /**
     * The key in {@link DubboExport#parameters} of the name under which the provider exports the service if that is not
     * its interface.
     */
    public static final String PATH = "path";
    /** The key in {@link DubboExport#parameters} of the tag that the provider registered itself with. */
    static final String TAG = "dubbo.tag";

    /** A parameter that a registry adds to a URL: that it has found the provider unhealthy. */
    public static final String UNHEALTHY = "dubbomesh.unhealthy";

    /** A parameter of the URLs that are made of an instance: its address. */
    static final String INSTANCE = "dubbomesh.instance";

    private static final String DUBBO = "dubbo";
    /** What stands between the application and the process id. */
    private static final String PID = "/";
    /**
     * The parameters by which no routing rule chooses, and those that are components of their own. A large registry
     * holds each of them tens of thousands of times.
     */
    private static final Set<String> LEFT_OUT = Set.of(
            "anyhost",
            "application",
            "background",
            "bind.ip",
            "bind.port",
            "category",
            "deprecated",
            UNHEALTHY,
            INSTANCE,
            "dynamic",
            "executor-management-mode",
            "file-cache",
            "generic",
            "group",
            "interface",
            "ipv6",
            "methods",
            "path",
            "pid",
            "protocol",
            "qos.accept.foreign.ip",
            "qos.enable",
            "qos.host",
            "qos.port",
            "register-mode",
            "service-name-mapping",
            "side",
            "token",
            "version");

    /**
     * Reads what a provider registered.
     *
     * @param revision  as in {@link DubboExport#revision}
     * @param preferred the protocol of a port that takes several
     * @return null if the entry is for others: of another protocol than Dubbo's and Triple, or of another category
     * @throws IllegalArgumentException naming what is wrong with it
     */
    public static DubboProvider of(String service, DubboUrl url, String revision, EndpointProtocol preferred) {
        String category = url.parameter("category");
        if (!category.isEmpty() && !category.equals("providers")) {
            return null;
        }
        EndpointProtocol protocol = protocol(url, preferred);
        if (protocol == null) {
            return null;
        }
        if (url.port() == 0) {
            throw new IllegalArgumentException("no port");
        }
        url.checkSize();
        HostPort address = new HostPort(ReachableAddress.checkedHost(url.host()), url.port());
        boolean enabled =
                url.parameter("disabled").isEmpty() ? url.flag("enabled", true) : !url.flag("disabled", false);
        Map<String, String> parameters = new HashMap<>(url.parameters());
        parameters.keySet().removeIf(DubboProvider::isLeftOut);
        if (protocol == EndpointProtocol.TRIPLE) {
            parameters.put(DubboExport.PROTOCOL, TRIPLE);
        }
        if (!url.path().isEmpty() && !url.path().equals(service)) {
            parameters.put(PATH, url.path());
        }
        DubboExport export = new DubboExport(
                new Variant(url.parameter("version"), url.parameter("group")),
                url.parameter("application"),
                revision,
                serialization(url),
                url.parameter("token"),
                parameters);
        boolean healthy = !url.flag(UNHEALTHY, false);
        return new DubboProvider(
                new EndpointId(address, protocol),
                weight(url),
                enabled,
                healthy,
                url.number("timestamp", 0),
                process(url),
                export);
    }

    /** Returns null if it is none of those that are listed. */
    private static EndpointProtocol protocol(DubboUrl url, EndpointProtocol preferred) {
        Set<String> spoken = new HashSet<>(List.of(url.parameter("ext.protocol").split(",")));
        spoken.add(url.protocol());
        boolean dubbo = spoken.contains(DUBBO);
        boolean triple = spoken.contains(TRIPLE);
        if (dubbo && triple) {
            return preferred;
        }
        return dubbo ? EndpointProtocol.DUBBO : triple ? EndpointProtocol.TRIPLE : null;
    }

    /** A process id tells nothing beyond a container, so it counts with the application. */
    private static String process(DubboUrl url) {
        String instance = url.parameter(INSTANCE);
        return instance.isEmpty() ? url.parameter("application") + PID + url.parameter("pid") : instance;
    }

    private static boolean isLeftOut(String name) {
        return LEFT_OUT.contains(name) || name.equals("default.token");
    }

    private static String serialization(DubboUrl url) {
        String preferred = url.parameter("prefer.serialization");
        String used = url.parameter("serialization");
        if (preferred.isEmpty() && used.isEmpty()) {
            return "";
        }
        return Stream.of((preferred + ',' + used).split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .collect(Collectors.joining(","));
    }

    private static int weight(DubboUrl url) {
        return (int) Math.max(0, Math.min(Endpoint.MAX_WEIGHT, url.number("weight", DEFAULT_WEIGHT)));
    }

    /** Returns the same with another weight, and perhaps taken out. */
    DubboProvider with(int changedWeight, boolean isEnabled, Map<String, String> timeouts) {
        DubboExport changed = export.withTimeouts(timeouts);
        return changedWeight == weight && isEnabled == enabled && changed == export
                ? this
                : new DubboProvider(id, changedWeight, isEnabled, healthy, startMs, process, changed);
    }

    /** Returns the same with the other addresses at which its process offers this. */
    DubboProvider alsoAt(Set<HostPort> others) {
        String addresses = others.stream().map(HostPort::toString).sorted().collect(Collectors.joining(","));
        return new DubboProvider(id, weight, enabled, healthy, startMs, process, export.withOtherAddresses(addresses));
    }

    /** Returns whether {@link #process} names nothing but the application. */
    boolean isApplicationOnly() {
        return process.endsWith(PID);
    }

    public HostPort address() {
        return id.address();
    }
}
