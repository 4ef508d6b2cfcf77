package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.ZoneName;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.json.Json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process of an application, as Dubbo 3 registers it: once, and not once for each service. Which services it exports
 * stands in the metadata of its revision.
 *
 * @param enabled  false if an operator has taken it out
 * @param metadata what the instance says about itself, as far as it is used here: there may be thousands of instances
 */
public record DubboInstance(String application, String host, int port, boolean enabled, Map<String, String> metadata) {
    static final int MAX_LENGTH = 65_536;

    private static final String REVISION = "dubbo.metadata.revision";
    private static final String STORAGE = "dubbo.metadata.storage-type";
    private static final String ENDPOINTS = "dubbo.endpoints";
    private static final String METADATA_SERVICE = "dubbo.metadata-service.url-params";
    private static final String TIMESTAMP = "timestamp";
    /** What is said of the instance and not of its services: {@link #urls} have it as parameters. */
    private static final List<String> OWN = List.of(TIMESTAMP, DubboProvider.UNHEALTHY);
    /** What is said of the instance, and may be said otherwise of a service: {@link #urls} have it as parameters. */
    private static final List<String> LABELS = List.of(ZoneName.ZONE, ZoneName.REGION);

    private static final Set<String> USED = Stream.concat(
                    Stream.of(REVISION, STORAGE, ENDPOINTS, METADATA_SERVICE),
                    Stream.concat(OWN.stream(), LABELS.stream()))
            .collect(Collectors.toUnmodifiableSet());
    private static final String DUBBO = "dubbo";
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final int MAX_PORT = 65_535;
    /** The most ports of one protocol. */
    private static final int MAX_PORTS = 16;
    /** Each is asked for the time-out of one, shared. */
    private static final int MAX_METADATA_PORTS = 3;

    public DubboInstance {
        Map<String, String> used = new HashMap<>(metadata);
        used.keySet().retainAll(USED);
        metadata = Map.copyOf(used);
    }

    /**
     * Reads the JSON that Curator keeps for an instance.
     *
     * @return null if it is no provider of Dubbo's
     * @throws IllegalArgumentException naming what is wrong with it
     */
    public static DubboInstance parse(String json) {
        if (json.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(json.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        if (!(Json.read(json) instanceof Map<?, ?> instance)
                || !(instance.get("payload") instanceof Map<?, ?> payload)
                || !(payload.get("metadata") instanceof Map<?, ?> metadata)) {
            return null;
        }
        DubboInstance read = new DubboInstance(
                text(instance, "name"), text(instance, "address"), number(instance, "port"), true, texts(metadata));
        return read.revision().isEmpty() ? null : read;
    }

    /**
     * Reads the JSON that Dubbo's registry in etcd keeps for an instance; otherwise as {@link #parse}.
     */
    public static DubboInstance ofEtcd(String json) {
        if (json.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(json.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        if (!json.startsWith("{")
                || !(Json.read(json) instanceof Map<?, ?> instance)
                || !(instance.get("metadata") instanceof Map<?, ?> metadata)) {
            return null;
        }
        DubboInstance read = new DubboInstance(
                text(instance, "serviceName"),
                text(instance, "host"),
                number(instance, "port"),
                !Boolean.FALSE.equals(instance.get("enabled")),
                texts(metadata));
        return read.revision().isEmpty() || read.application().isEmpty() ? null : read;
    }

    /** Returns the revision of the application's metadata; {@code 0} for one that exports nothing. */
    public String revision() {
        return metadata.getOrDefault(REVISION, "");
    }

    /**
     * Returns whether the metadata stands in a metadata centre only; otherwise the provider's own metadata service
     * tells it.
     */
    public boolean isMetadataRemote() {
        return metadata.getOrDefault(STORAGE, "").equals("remote");
    }

    /**
     * Returns the address of its metadata service by the protocol dubbo and by Triple; null if it has none by these.
     * One that says Triple may offer both.
     *
     * @throws IllegalArgumentException if its address cannot be
     */
    MetadataServiceAddress metadataService() {
        if (isMetadataRemote()) {
            return null;
        }
        Map<?, ?> parameters = Map.of();
        if (metadata.containsKey(METADATA_SERVICE)) {
            if (!(Json.read(metadata.get(METADATA_SERVICE)) instanceof Map<?, ?> read)) {
                return null;
            }
            parameters = read;
        }
        List<EndpointId> addresses = metadataAddresses(parameters, ReachableAddress.checkedHost(host));
        return addresses.isEmpty()
                ? null
                : new MetadataServiceAddress(
                        addresses, nonEmpty(text(parameters, "group"), application), text(parameters, "version"));
    }

    /** The protocol dubbo is the first: all versions answer by it alike. */
    private List<EndpointId> metadataAddresses(Map<?, ?> parameters, String reachable) {
        Set<EndpointId> found = new LinkedHashSet<>();
        Map<String, List<Integer>> ports = ports();
        String named = nonEmpty(text(parameters, "protocol"), DUBBO);
        String told = text(parameters, "port");
        int toldPort = PORT.matcher(told).matches() ? Integer.parseInt(told) : 0;
        for (EndpointProtocol protocol : List.of(EndpointProtocol.DUBBO, EndpointProtocol.TRIPLE)) {
            String name = protocol == EndpointProtocol.DUBBO ? DUBBO : DubboProvider.TRIPLE;
            Set<Integer> ofProtocol = new LinkedHashSet<>();
            if (named.equals(name)) {
                ofProtocol.add(toldPort);
            }
            ofProtocol.addAll(ports.getOrDefault(name, List.of()));
            boolean isOthers = ports.entrySet().stream()
                    .anyMatch(other ->
                            !other.getKey().equals(name) && other.getValue().contains(port));
            if (named.equals(name) && !isOthers) {
                ofProtocol.add(port);
            }
            ofProtocol.removeIf(each -> each == 0 || each > MAX_PORT);
            ofProtocol.forEach(each -> found.add(protocol.at(reachable, each)));
        }
        return found.stream().limit(MAX_METADATA_PORTS).toList();
    }

    private static String nonEmpty(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    /** Returns the address that it is registered with. */
    HostPort address() {
        return new HostPort(host, port);
    }

    /** Returns all at which it listens, as far as it says; empty if what it says is malformed. */
    List<HostPort> addresses() {
        Set<HostPort> addresses = new LinkedHashSet<>();
        addresses.add(address());
        try {
            ports().values().forEach(ports -> ports.forEach(each -> addresses.add(new HostPort(host, each))));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
        return List.copyOf(addresses);
    }

    /**
     * Returns the provider, of any services, if it registers only protocols that no agent calls; null if it registers
     * another one too, or does not say by what protocols it listens.
     */
    Endpoint foreignOnly() {
        try {
            Map<String, List<Integer>> ports = ports();
            if (ports.isEmpty() || ports.containsKey(DUBBO) || ports.containsKey(DubboProvider.TRIPLE)) {
                return null;
            }
            String protocol = ports.keySet().iterator().next();
            if (protocol.isEmpty()) {
                return null;
            }
            int listening = ports.get(protocol).get(0);
            DubboExport export = new DubboExport(
                    Variant.NONE, application, revision(), "", "", Map.of(DubboExport.PROTOCOL, protocol));
            return new Endpoint(
                    ReachableAddress.checkedHost(host),
                    listening > 0 ? listening : port,
                    enabled ? Endpoint.DIRECT_WEIGHT : 0,
                    Endpoint.DEFAULT_LIMIT,
                    List.of(),
                    List.of(export));
        } catch (RuntimeException e) {
            // Any failure is logged when the instance is asked.
            return null;
        }
    }

    /** Returns the ports of each protocol. */
    private Map<String, List<Integer>> ports() {
        Map<String, List<Integer>> ports = new HashMap<>();
        if (metadata.containsKey(ENDPOINTS) && Json.read(metadata.get(ENDPOINTS)) instanceof List<?> endpoints) {
            for (Object endpoint : endpoints) {
                if (endpoint instanceof Map<?, ?> members) {
                    List<Integer> ofProtocol =
                            ports.computeIfAbsent(text(members, "protocol"), protocol -> new ArrayList<>(1));
                    int named = number(members, "port");
                    if (!ofProtocol.contains(named) && ofProtocol.size() < MAX_PORTS) {
                        ofProtocol.add(named);
                    }
                }
            }
        }
        return ports;
    }

    /**
     * Returns the URLs that the instance would have registered by interface.
     *
     * @throws IllegalArgumentException if its endpoints are malformed
     */
    public List<DubboUrl> urls(DubboMetadata of) {
        Map<String, List<Integer>> ports = ports();
        List<DubboUrl> urls = new ArrayList<>();
        for (DubboMetadata.Service service : of.services()) {
            Map<String, String> parameters = new LinkedHashMap<>(service.parameters());
            parameters.put("interface", service.name());
            parameters.put("application", application);
            parameters.put("version", service.version());
            parameters.put("group", service.group());
            parameters.put(DubboProvider.INSTANCE, address().toString());
            if (!enabled) {
                parameters.put("disabled", "true");
            }
            for (String own : OWN) {
                if (metadata.containsKey(own)) {
                    parameters.put(own, metadata.get(own));
                }
            }
            if (LABELS.stream().noneMatch(parameters::containsKey)) {
                for (String label : LABELS) {
                    if (metadata.containsKey(label)) {
                        parameters.put(label, metadata.get(label));
                    }
                }
            }
            for (int servicePort : portsOf(service, of, ports.getOrDefault(service.protocol(), List.of()))) {
                urls.add(new DubboUrl(service.protocol(), host, servicePort, service.path(), parameters));
            }
        }
        return urls;
    }

    /**
     * Returns the ports of the instance at which a service is exported. Dubbo for Java names the port of each service
     * in the metadata, and of a protocol with several ports only one among the endpoints. Dubbo for Go may have
     * instances with different ports in one revision: the port in the metadata is that of another instance then.
     *
     * @param own those of the protocol among the instance's endpoints
     */
    private List<Integer> portsOf(DubboMetadata.Service service, DubboMetadata of, List<Integer> own) {
        boolean isOthers = !own.isEmpty()
                && !own.contains(service.port())
                && of.portsOf(service.protocol()).size() <= 1;
        if (service.port() > 0 && !isOthers) {
            return List.of(service.port());
        }
        return own.isEmpty() ? List.of(port) : own;
    }

    /** Returns the text without the metadata. */
    @Override
    public String toString() {
        return application + " at " + new HostPort(host, port);
    }

    static String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    static int number(Map<?, ?> members, String name) {
        return members.get(name) instanceof Long number && number > 0 && number <= 65_535 ? number.intValue() : 0;
    }

    static Map<String, String> texts(Map<?, ?> members) {
        Map<String, String> texts = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (value != null) {
                texts.put(name.toString(), value.toString());
            }
        });
        return texts;
    }
}
