package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.definition.FieldFacts;
import io.dubbomesh.protocol.definition.TypeDefinition;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Classes whose fields have constraints. */
final class ConstrainedType {
    private ConstrainedType() {}

    /** @param assigned the fields to which the constructor gives a value */
    static TypeDefinition of(
            String name, Map<String, String> fields, Set<String> assigned, Map<String, List<Constraint>> constraints) {
        return new TypeDefinition(
                name,
                TypeDefinition.Kind.CLASS,
                List.of(),
                fields,
                new FieldFacts(Map.of(), assigned, Map.of(), constraints, false),
                Set.of(),
                true,
                null);
    }
}
