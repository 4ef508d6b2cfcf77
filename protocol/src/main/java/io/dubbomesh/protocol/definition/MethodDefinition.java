package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.constraint.Constraint;

import java.util.List;

/**
 * A method of a service; the names of types are those of {@link ServiceDefinition}.
 *
 * @param parameterTypes those that the interface's callers see: type variables are replaced by what the interface makes
 *     of them
 * @param returnType     may be {@code void}
 * @param erasedTypes the classes of the parameters by which the provider finds the method: a type variable is its bound
 * @param facts       of the parameters
 */
public record MethodDefinition(
        String name, List<String> parameterTypes, String returnType, List<String> erasedTypes, ParameterFacts facts) {

    /**
     * The facts about parameters besides their types.
     *
     * @param names       in order; empty unless all are known
     * @param constraints of each parameter, in order; empty if there are none
     */
    public record ParameterFacts(List<String> names, List<List<Constraint>> constraints) {
        static final ParameterFacts NONE = new ParameterFacts(List.of(), List.of());

        public ParameterFacts {
            names = List.copyOf(names);
            boolean areAny = constraints.stream().anyMatch(each -> !each.isEmpty());
            constraints = areAny ? List.copyOf(constraints) : List.of();
        }

        /** Returns the constraints of one parameter. */
        public List<Constraint> constraints(int parameter) {
            return constraints.isEmpty() ? List.of() : constraints.get(parameter);
        }
    }

    /** Makes a method of whose parameters only the types are known. */
    public MethodDefinition(String name, List<String> parameterTypes, String returnType, List<String> erasedTypes) {
        this(name, parameterTypes, returnType, erasedTypes, ParameterFacts.NONE);
    }

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
