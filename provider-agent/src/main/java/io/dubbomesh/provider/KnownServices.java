package io.dubbomesh.provider;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.util.Map;

/** What the provider has told about its services; immutable. */
final class KnownServices {
    /** Before it was asked, and for one that tells nothing. */
    static final KnownServices NONE = new KnownServices(Map.of());

    private final Map<ServiceKey, ServiceDefinition> definitions;

    KnownServices(Map<ServiceKey, ServiceDefinition> definitions) {
        this.definitions = Map.copyOf(definitions);
    }

    /** Of the service that the method belongs to; null if it is not known. */
    ServiceDefinition definition(MethodName name) {
        return definitions.get(new ServiceKey(name.service(), name.version(), name.group()));
    }

    /** A service in one of its variants. */
    record ServiceKey(String service, String version, String group) {}
}
