package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.util.Map;

/** The methods and types of the served services, as far as discovery has found them; immutable. */
public final class ServiceDefinitions {
    /** Before the first discovery, and for a provider that tells nothing. */
    public static final ServiceDefinitions NONE = new ServiceDefinitions(Map.of());

    private final Map<ServiceKey, ServiceDefinition> definitions;

    public ServiceDefinitions(Map<ServiceKey, ServiceDefinition> definitions) {
        this.definitions = Map.copyOf(definitions);
    }

    /** Of the service that the method belongs to; null if it is not known. */
    public ServiceDefinition definition(MethodName name) {
        return definitions.get(new ServiceKey(name.service(), name.version(), name.group()));
    }
}
