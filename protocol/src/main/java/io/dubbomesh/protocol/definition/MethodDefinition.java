package io.dubbomesh.protocol.definition;

import java.util.List;

/**
 * A method of a service; the names of types are those of {@link ServiceDefinition}.
 *
 * @param parameterTypes those that the interface's callers see: type variables are replaced by what the interface makes
 *     of them
 * @param returnType     may be {@code void}
 * @param erasedTypes the classes of the parameters by which the provider finds the method: a type variable is its bound
 */
public record MethodDefinition(String name, List<String> parameterTypes, String returnType, List<String> erasedTypes) {

    public MethodDefinition {
        parameterTypes = List.copyOf(parameterTypes);
        erasedTypes = List.copyOf(erasedTypes);
        if (erasedTypes.size() != parameterTypes.size()) {
            throw new IllegalArgumentException(
                    "erased types: " + erasedTypes + " (expected: " + parameterTypes.size() + " of them)");
        }
    }

    /** A method whose parameters have no type variables. */
    public MethodDefinition(String name, List<String> parameterTypes, String returnType) {
        this(
                name,
                parameterTypes,
                returnType,
                parameterTypes.stream().map(MethodDefinition::erased).toList());
    }

    /** Returns the type's name without type arguments. */
    public static String erased(String typeName) {
        int open = typeName.indexOf('<');
        return open < 0 ? typeName : typeName.substring(0, open) + typeName.substring(typeName.lastIndexOf('>') + 1);
    }

    /** Returns the signature as Java source has it: {@code add(int,int)}. */
    public String signature() {
        return name + '(' + String.join(",", parameterTypes) + ')';
    }
}
