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
     */
    public record MethodDescription(
            String name, List<String> parameterTypes, List<String> parameterNames, String returnType) {
        /** Returns the method as Java declares it. */
        public String signature() {
            return returnType
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
