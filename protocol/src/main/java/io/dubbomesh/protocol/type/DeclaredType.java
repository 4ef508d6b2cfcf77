package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.definition.TypeDefinition;

import java.util.List;
import java.util.Map;

/**
 * The type that a method declares for its result, with the classes of the service that are known: what a
 * {@link ValueToJson} needs besides the bytes. Used by any thread.
 */
public final class DeclaredType {
    /** Nothing is known of the value, nor of any class. */
    public static final DeclaredType UNKNOWN = new DeclaredType(new JavaTypes(Map.of()), JavaTypes.ANY);

    /** The caller gets what the future will be. */
    private static final List<String> FUTURES = List.of(
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Future");

    private final JavaTypes types;
    private final JavaType type;

    private DeclaredType(JavaTypes types, JavaType type) {
        this.types = types;
        this.type = type;
    }

    /** @param name as Java source has it, see {@link io.dubbomesh.protocol.definition.ServiceDefinition} */
    public static DeclaredType of(String name, Map<String, TypeDefinition> known) {
        return of(name, new JavaTypes(known));
    }

    static DeclaredType of(String name, JavaTypes known) {
        return new DeclaredType(known, known.of(value(name)));
    }

    /** Returns the type of the value that a caller gets of a method which returns this type. */
    public static String value(String name) {
        for (String future : FUTURES) {
            if (name.equals(future) || name.equals("void")) {
                return "java.lang.Object";
            }
            if (name.startsWith(future + '<')) {
                return name.substring(future.length() + 1, name.length() - 1);
            }
        }
        return name;
    }

    JavaTypes types() {
        return types;
    }

    JavaType type() {
        return type;
    }

    @Override
    public String toString() {
        return type.name();
    }
}
