package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.util.HashMap;
import java.util.Map;

/** The methods and types of the served services, as far as discovery has found them; immutable. */
public final class ServiceDefinitions {
    /** The definitions before the first discovery, and of a provider that tells nothing. */
    public static final ServiceDefinitions NONE = new ServiceDefinitions(Map.of());

    /** The definitions of a provider that could not be asked. */
    public static final ServiceDefinitions NOT_ASKED = new ServiceDefinitions(Map.of(), true, false);

    private final Map<ServiceKey, ServiceDefinition> definitions;
    private final boolean isFinal;
    private final boolean isAsked;
    private final boolean readsDeclaredTypes;

    public ServiceDefinitions(Map<ServiceKey, ServiceDefinition> definitions) {
        this(definitions, true);
    }

    /** @param isFinal whether asking once more can find no others before the provider changes */
    public ServiceDefinitions(Map<ServiceKey, ServiceDefinition> definitions, boolean isFinal) {
        this(definitions, isFinal, true);
    }

    /** @param isAsked false if the provider should have been asked and could not be */
    public ServiceDefinitions(Map<ServiceKey, ServiceDefinition> definitions, boolean isFinal, boolean isAsked) {
        this(definitions, isFinal, isAsked, true);
    }

    private ServiceDefinitions(
            Map<ServiceKey, ServiceDefinition> definitions,
            boolean isFinal,
            boolean isAsked,
            boolean readsDeclaredTypes) {
        this.definitions = Map.copyOf(definitions);
        this.isFinal = isFinal;
        this.isAsked = isAsked;
        this.readsDeclaredTypes = readsDeclaredTypes;
    }

    /** Returns the same of a provider that does not read arguments by the types that methods declare, by Triple. */
    public ServiceDefinitions withoutDeclaredTypes() {
        return new ServiceDefinitions(definitions, isFinal, isAsked, false);
    }

    /** Returns whether the provider reads arguments by the types that methods declare. */
    public boolean readsDeclaredTypes() {
        return readsDeclaredTypes;
    }

    /** Returns the definition of the service that the method belongs to; null if it is not known. */
    public ServiceDefinition definition(MethodName name) {
        return definitions.get(new ServiceKey(name.service(), name.version(), name.group()));
    }

    /**
     * Returns whether it is of no use to ask once more before the provider changes: no metadata report can still come.
     */
    public boolean areFinal() {
        return isFinal;
    }

    /**
     * Returns false if the provider should have been asked and could not be, which says nothing about what it would
     * answer later.
     */
    public boolean areAsked() {
        return isAsked;
    }

    /** Returns these with what they lack of the others. */
    public ServiceDefinitions or(ServiceDefinitions others) {
        Map<ServiceKey, ServiceDefinition> both = new HashMap<>(others.definitions);
        both.putAll(definitions);
        return new ServiceDefinitions(both, isFinal, isAsked, readsDeclaredTypes);
    }

    /** Returns the same with definitions that others have too. */
    public ServiceDefinitions sharedBy(SharedDefinitions shared) {
        Map<ServiceKey, ServiceDefinition> all = new HashMap<>(definitions);
        all.replaceAll((service, definition) -> shared.share(definition));
        return new ServiceDefinitions(all, isFinal, isAsked, readsDeclaredTypes);
    }

    public boolean areThoseOf(ServiceDefinitions other) {
        return definitions.equals(other.definitions) && readsDeclaredTypes == other.readsDeclaredTypes;
    }
}
