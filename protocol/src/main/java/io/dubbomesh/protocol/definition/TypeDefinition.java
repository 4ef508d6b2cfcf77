package io.dubbomesh.protocol.definition;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A class that is not of the JDK; the names of types are those of {@link ServiceDefinition}.
 *
 * @param name      without type arguments
 * @param constants the names of an enum's constants, empty for any other class
 * @param fields    by name, in order: their types, those of superclasses included
 */
public record TypeDefinition(String name, List<String> constants, Map<String, String> fields) {

    public TypeDefinition {
        constants = List.copyOf(constants);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public boolean isEnum() {
        return !constants.isEmpty();
    }
}
