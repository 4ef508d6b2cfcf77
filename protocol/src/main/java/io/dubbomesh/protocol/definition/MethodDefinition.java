package io.dubbomesh.protocol.definition;

import java.util.List;

/**
 * A method of a service; the names of types are those of {@link ServiceDefinition}.
 *
 * @param returnType may be {@code void}
 */
public record MethodDefinition(String name, List<String> parameterTypes, String returnType) {

    public MethodDefinition {
        parameterTypes = List.copyOf(parameterTypes);
    }

    /** As Java source has it, {@code add(int,int)}. */
    public String signature() {
        return name + '(' + String.join(",", parameterTypes) + ')';
    }
}
