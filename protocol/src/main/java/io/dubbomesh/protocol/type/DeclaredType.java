package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.definition.TypeDefinition;

import java.util.List;
import java.util.Map;

/**
 * The type that a method declares for its result, with the classes of the service that are known: what a
 * {@link ValueToJson} needs besides the bytes. Used by any thread.
 */
public final class DeclaredType {
    /** Nothing is known of the value, nor of any class. */
    public static final DeclaredType UNKNOWN = new DeclaredType(new JavaTypes(Map.of()), JavaTypes.ANY, null);

    /** The caller gets what the future will be. */
    private static final List<String> FUTURES = List.of(
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Future");

    private final JavaTypes types;
    private final JavaType type;
    /** Null unless the result is a message of protobuf. */
    private final MessageMethod message;

    private DeclaredType(JavaTypes types, JavaType type, MessageMethod message) {
        this.types = types;
        this.type = type;
        this.message = message;
    }

    /** @param name as Java source has it, see {@link io.dubbomesh.protocol.definition.ServiceDefinition} */
    public static DeclaredType of(String name, Map<String, TypeDefinition> known) {
        return of(name, new JavaTypes(known));
    }

    static DeclaredType of(String name, JavaTypes known) {
        return new DeclaredType(known, known.of(value(name)), null);
    }

    /** Returns the result of a method that returns a message, whose bytes are the value. */
    public static DeclaredType ofMessage(MessageMethod method) {
        return new DeclaredType(UNKNOWN.types, UNKNOWN.type, method);
    }

    /** Returns the method that reads the value, if it is the bytes of a message; else null. */
    public MessageMethod message() {
        return message;
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
        return message == null ? type.name() : message.result();
    }
}
