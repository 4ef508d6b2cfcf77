package io.dubbomesh.protocol.definition;

import java.util.List;

/**
 * A class as a declaration uses it.
 *
 * @param name      {@code className} with its type arguments, of which there may be none
 * @param arguments of the type: names, or wildcards
 */
record TypeUse(String name, String className, List<String> arguments) {
    static TypeUse raw(String className) {
        return new TypeUse(className, className, List.of());
    }
}
