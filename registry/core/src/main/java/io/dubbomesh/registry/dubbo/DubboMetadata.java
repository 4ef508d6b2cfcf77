package io.dubbomesh.registry.dubbo;

import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The exports of an application of Dubbo 3 in one revision, which all its instances of that revision share ({@code
 * MetadataInfo} in Dubbo).
 *
 * @param refused what is wrong with services that are left out; the first few
 */
public record DubboMetadata(String application, String revision, List<Service> services, List<String> refused) {
    static final int MAX_LENGTH = 8 << 20;
    /** The longest name, version, group, protocol or path of a service: they are kept for each instance. */
    private static final int MAX_NAME_LENGTH = 512;

    private static final int MAX_REFUSED = 16;

    /**
     * A service in one version and group, by one protocol.
     *
     * @param port 0 if the metadata does not name it: then it is that of the instance for this protocol
     */
    public record Service(
            String name,
            String version,
            String group,
            String protocol,
            int port,
            String path,
            Map<String, String> parameters) {}

    public DubboMetadata {
        services = List.copyOf(services);
        refused = List.copyOf(refused);
    }

    /** Returns the ports that are named with services of a protocol. */
    Set<Integer> portsOf(String protocol) {
        Set<Integer> ports = new HashSet<>();
        for (Service service : services) {
            if (service.port() > 0 && service.protocol().equals(protocol)) {
                ports.add(service.port());
            }
        }
        return ports;
    }

    /** @throws IllegalArgumentException naming what is wrong with it */
    public static DubboMetadata parse(String json) {
        if (json.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(json.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        if (!(Json.read(json) instanceof Map<?, ?> metadata)
                || !(metadata.get("services") instanceof Map<?, ?> services)) {
            throw new IllegalArgumentException("no services");
        }
        List<Service> read = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (Object value : services.values()) {
            if (value instanceof Map<?, ?> service) {
                try {
                    read.add(service(service));
                } catch (IllegalArgumentException e) {
                    if (refused.size() < MAX_REFUSED) {
                        refused.add(e.getMessage());
                    }
                }
            }
        }
        return new DubboMetadata(
                DubboInstance.text(metadata, "app"), DubboInstance.text(metadata, "revision"), read, refused);
    }

    private static Service service(Map<?, ?> members) {
        return new Service(
                name(members, "name"),
                name(members, "version"),
                name(members, "group"),
                name(members, "protocol"),
                DubboInstance.number(members, "port"),
                name(members, "path"),
                members.get("params") instanceof Map<?, ?> parameters ? DubboInstance.texts(parameters) : Map.of());
    }

    private static String name(Map<?, ?> members, String member) {
        String name = DubboInstance.text(members, member);
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("the " + member + " of a service has " + name.length()
                    + " characters (expected: at most " + MAX_NAME_LENGTH + "): " + PrintableText.brief(name));
        }
        return name;
    }
}
