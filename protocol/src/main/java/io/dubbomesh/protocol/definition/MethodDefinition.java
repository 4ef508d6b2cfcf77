package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.constraint.Constraint;

import java.util.List;
import java.util.Set;

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
     * How many messages a method takes and returns. Dubbo's interfaces say it by an observer among the parameters,
     * which no caller gives: {@code void list(Query, StreamObserver<Item>)} returns a stream of {@code Item}. A {@link
     * ServiceDefinition} has such a method without that parameter, and with the observer's type as what it returns.
     */
    public enum Streaming {
        /** One of each. */
        NONE,
        /** The method returns a stream. */
        SERVER,
        /** The method takes a stream, and may return one. */
        CLIENT
    }

    private static final String OBSERVER = "org.apache.dubbo.common.stream.StreamObserver";
    private static final Set<String> OBSERVERS = Set.of(OBSERVER, "io.grpc.stub.StreamObserver");
    /** The most parameters that Dubbo looks for an observer among. */
    private static final int MOST_WITH_OBSERVER = 2;

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

    /** Returns how many messages this method of a service definition takes and returns. */
    public Streaming streaming() {
        if (erasedTypes.stream().anyMatch(OBSERVERS::contains)) {
            return Streaming.CLIENT;
        }
        return isObserver(returnType) ? Streaming.SERVER : Streaming.NONE;
    }

    static boolean isObserver(String type) {
        return OBSERVERS.contains(erased(type));
    }

    /**
     * Returns the type by which a method of a service definition takes or returns a stream of messages of this type.
     */
    public static String streamOf(String messageType) {
        return OBSERVER + '<' + messageType + '>';
    }

    /** Returns the type of what is returned, of a method of a service definition: of a stream that of one message. */
    public String messageType() {
        if (!isObserver(returnType)) {
            return returnType;
        }
        int open = returnType.indexOf('<');
        return open < 0 ? "java.lang.Object" : returnType.substring(open + 1, returnType.lastIndexOf('>'));
    }

    /** Returns a method that returns a stream as callers see it; any other as it is. */
    MethodDefinition asCalled() {
        int last = parameterTypes.size() - 1;
        boolean returnsStream = returnType.equals("void")
                && last >= 0
                && last < MOST_WITH_OBSERVER
                && isObserver(parameterTypes.get(last))
                && parameterTypes.stream().filter(MethodDefinition::isObserver).count() == 1;
        if (!returnsStream) {
            return this;
        }
        ParameterFacts others = new ParameterFacts(
                facts.names().isEmpty() ? List.of() : facts.names().subList(0, last),
                facts.constraints().isEmpty() ? List.of() : facts.constraints().subList(0, last));
        return new MethodDefinition(
                name, parameterTypes.subList(0, last), parameterTypes.get(last), erasedTypes.subList(0, last), others);
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
