package io.dubbomesh.registry.dubbo;

import io.dubbomesh.runtime.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an application of Dubbo 3 exports in one revision, which all its instances of that revision share ({@code MetadataInfo} in Dubbo). */
public record DubboMetadata(String application, String revision, List<Service> services) {
    static final int MAX_LENGTH = 8 << 20;

    /**
     * A service in one version and group, by one protocol.
     *
     * @param port 0 if it is the application's only one for this protocol
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
        for (Object value : services.values()) {
            if (value instanceof Map<?, ?> service) {
                read.add(new Service(
                        DubboInstance.text(service, "name"),
                        DubboInstance.text(service, "version"),
                        DubboInstance.text(service, "group"),
                        DubboInstance.text(service, "protocol"),
                        DubboInstance.number(service, "port"),
                        DubboInstance.text(service, "path"),
                        service.get("params") instanceof Map<?, ?> parameters
                                ? DubboInstance.texts(parameters)
                                : Map.of()));
            }
        }
        return new DubboMetadata(DubboInstance.text(metadata, "app"), DubboInstance.text(metadata, "revision"), read);
    }
}
