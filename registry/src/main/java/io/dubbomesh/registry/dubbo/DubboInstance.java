package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.ReachableAddress;
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
    private static final Set<String> USED = Set.of(REVISION, STORAGE, ENDPOINTS, METADATA_SERVICE, TIMESTAMP);
    private static final String DUBBO = "dubbo";
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

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

    /** Of the application's metadata; {@code 0} for one that exports nothing. */
    public String revision() {
        return metadata.getOrDefault(REVISION, "");
    }

    /**
     * Whether the metadata stands in a metadata centre only; otherwise the provider's own metadata service tells it.
     */
    public boolean isMetadataRemote() {
        return metadata.getOrDefault(STORAGE, "").equals("remote");
    }

    /**
     * Where its metadata service listens, by protocol dubbo; null if it has none that does. One that says Triple may
     * offer both.
     *
     * @throws IllegalArgumentException if its address cannot be
     */
    HostPort metadataService() {
        int servicePort = isMetadataRemote() ? 0 : metadataPort();
        return servicePort == 0 ? null : new HostPort(ReachableAddress.checkedHost(host), servicePort);
    }

    private int metadataPort() {
        if (!metadata.containsKey(METADATA_SERVICE)) {
            return port;
        }
        if (!(Json.read(metadata.get(METADATA_SERVICE)) instanceof Map<?, ?> parameters)) {
            return 0;
        }
        if (!text(parameters, "protocol").equals(DUBBO)) {
            return ports().getOrDefault(DUBBO, 0);
        }
        String told = text(parameters, "port");
        return PORT.matcher(told).matches() && Integer.parseInt(told) <= 65_535 ? Integer.parseInt(told) : 0;
    }

    /** All at which it listens, as far as it says; empty if what it says is malformed. */
    List<HostPort> addresses() {
        Set<HostPort> addresses = new LinkedHashSet<>();
        addresses.add(new HostPort(host, port));
        try {
            ports().values().forEach(each -> addresses.add(new HostPort(host, each)));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
        return List.copyOf(addresses);
    }

    /** The port of each protocol. */
    private Map<String, Integer> ports() {
        Map<String, Integer> ports = new HashMap<>();
        if (metadata.containsKey(ENDPOINTS) && Json.read(metadata.get(ENDPOINTS)) instanceof List<?> endpoints) {
            for (Object endpoint : endpoints) {
                if (endpoint instanceof Map<?, ?> members) {
                    ports.putIfAbsent(text(members, "protocol"), number(members, "port"));
                }
            }
        }
        return ports;
    }

    /**
     * What the instance would have registered by interface.
     *
     * @throws IllegalArgumentException if its endpoints are malformed
     */
    public List<DubboUrl> urls(DubboMetadata of) {
        Map<String, Integer> ports = ports();
        List<DubboUrl> urls = new ArrayList<>();
        for (DubboMetadata.Service service : of.services()) {
            Map<String, String> parameters = new LinkedHashMap<>(service.parameters());
            parameters.put("interface", service.name());
            parameters.put("application", application);
            parameters.put("version", service.version());
            parameters.put("group", service.group());
            if (!enabled) {
                parameters.put("disabled", "true");
            }
            if (metadata.containsKey(TIMESTAMP)) {
                parameters.put(TIMESTAMP, metadata.get(TIMESTAMP));
            }
            int servicePort = service.port() > 0 ? service.port() : ports.getOrDefault(service.protocol(), port);
            urls.add(new DubboUrl(service.protocol(), host, servicePort, service.path(), parameters));
        }
        return urls;
    }

    /** Without the metadata. */
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
