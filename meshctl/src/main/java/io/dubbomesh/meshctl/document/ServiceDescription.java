package io.dubbomesh.meshctl.document;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The methods of a service and the classes that they use.
 *
 * @param unknown classes whose fields are not known
 */
public record ServiceDescription(
        List<MethodDescription> methods, Map<String, TypeDescription> types, List<String> unknown) {
    /**
     * A method with its Java types.
     *
     * @param parameterNames empty if they are not known
     * @param returnType     of a stream that of a message
     * @param stream         {@code server} if it returns a stream; {@code client} if it takes one, and cannot be called
     */
    public record MethodDescription(
            String name,
            List<String> parameterTypes,
            List<String> parameterNames,
            String returnType,
            Optional<String> stream) {
        /** Returns the method as Java declares it; one that returns a stream as protobuf does. */
        public String signature() {
            return (stream.filter("server"::equals).isPresent() ? "stream " : "")
                    + returnType
                    + ' '
                    + name
                    + '('
                    + String.join(",", parameterTypes).replace(",", ", ")
                    + ')';
        }
    }

    /**
     * A class.
     *
     * @param constants of an enum; empty for a class that is none
     */
    public record TypeDescription(Optional<List<String>> constants, Map<String, String> fields) {}
}
