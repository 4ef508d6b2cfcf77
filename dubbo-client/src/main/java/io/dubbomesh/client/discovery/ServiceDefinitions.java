package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.util.HashMap;
import java.util.Map;

/** The methods and types of the served services, as far as discovery has found them; immutable. */
public final class ServiceDefinitions {
    /** Before the first discovery, and for a provider that tells nothing. */
    public static final ServiceDefinitions NONE = new ServiceDefinitions(Map.of());

    private final Map<ServiceKey, ServiceDefinition> definitions;
    private final boolean isFinal;

    public ServiceDefinitions(Map<ServiceKey, ServiceDefinition> definitions) {
        this(definitions, true);
    }

    /** @param isFinal whether asking once more can find no others before the provider changes */
    public ServiceDefinitions(Map<ServiceKey, ServiceDefinition> definitions, boolean isFinal) {
        this.definitions = Map.copyOf(definitions);
        this.isFinal = isFinal;
    }

    /** Of the service that the method belongs to; null if it is not known. */
    public ServiceDefinition definition(MethodName name) {
        return definitions.get(new ServiceKey(name.service(), name.version(), name.group()));
    }

    /** Whether it is of no use to ask once more before the provider changes: no metadata report can still come. */
    public boolean areFinal() {
        return isFinal;
    }

    /** These, and what they lack of the others. */
    public ServiceDefinitions or(ServiceDefinitions others) {
        Map<ServiceKey, ServiceDefinition> both = new HashMap<>(others.definitions);
        both.putAll(definitions);
        return new ServiceDefinitions(both, isFinal);
    }

    public boolean areThoseOf(ServiceDefinitions other) {
        return definitions.equals(other.definitions);
    }
}
