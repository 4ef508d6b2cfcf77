package io.dubbomesh.registry.dubbo;

import io.dubbomesh.runtime.json.Json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A process of an application, as Dubbo 3 registers it: once, and not once for each service. Which services it exports stands in the metadata of its
 * revision.
 *
 * @param metadata what the instance says about itself
 */
public record DubboInstance(String application, String host, int port, Map<String, String> metadata) {
    static final int MAX_LENGTH = 65_536;

    private static final String REVISION = "dubbo.metadata.revision";
    private static final String STORAGE = "dubbo.metadata.storage-type";
    private static final String ENDPOINTS = "dubbo.endpoints";

    public DubboInstance {
        metadata = Map.copyOf(metadata);
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
                text(instance, "name"), text(instance, "address"), number(instance, "port"), texts(metadata));
        return read.revision().isEmpty() ? null : read;
    }

    /** Of the application's metadata; {@code 0} for one that exports nothing. */
    public String revision() {
        return metadata.getOrDefault(REVISION, "");
    }

    /** Whether the metadata stands in the metadata centre; otherwise the provider's own metadata service tells it. */
    public boolean isMetadataRemote() {
        return metadata.getOrDefault(STORAGE, "").equals("remote");
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
            if (metadata.containsKey("timestamp")) {
                parameters.put("timestamp", metadata.get("timestamp"));
            }
            int servicePort = service.port() > 0 ? service.port() : ports.getOrDefault(service.protocol(), port);
            urls.add(new DubboUrl(service.protocol(), host, servicePort, service.path(), parameters));
        }
        return urls;
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
