package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Makes one object of equal definitions, as long as one of them is used: each instance of an application may have a
 * revision of its own, with the same types. Thread-safe.
 */
public final class SharedDefinitions {
    private final Map<ServiceDefinition, WeakReference<ServiceDefinition>> shared = new WeakHashMap<>();

    /** Returns the definition, or one that is equal and was given before. */
    synchronized ServiceDefinition share(ServiceDefinition definition) {
        WeakReference<ServiceDefinition> before = shared.get(definition);
        ServiceDefinition used = before == null ? null : before.get();
        if (used == null) {
            shared.put(definition, new WeakReference<>(definition));
            return definition;
        }
        return used;
    }
}
