package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.constraint.Constraint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The facts about a class's fields besides their types.
 *
 * @param bounds     of fields that the class declares as type variables, by name: the classes of the declarations,
 *     which are all that a reader of its values knows
 * @param assigned   the fields to which the constructor without parameters assigns anything but null or zero
 * @param properties by the name of a property: the field that its getter returns and its setter sets, where that has
 *     another name
 * @param constraints of the fields that have any, by name
 * @param areForJson whether annotations may give the fields other names, or leave some out, for those who read JSON
 */
public record FieldFacts(
        Map<String, String> bounds,
        Set<String> assigned,
        Map<String, String> properties,
        Map<String, List<Constraint>> constraints,
        boolean areForJson) {
    static final FieldFacts NONE = new FieldFacts(Map.of(), Set.of(), Map.of(), Map.of(), false);

    public FieldFacts {
        bounds = Map.copyOf(bounds);
        assigned = Set.copyOf(assigned);
        properties = Map.copyOf(properties);
        constraints = Map.copyOf(constraints);
    }

    static FieldFacts ofVariables(Set<String> names) {
        Map<String, String> bounds = new HashMap<>();
        names.forEach(name -> bounds.put(name, "java.lang.Object"));
        return bounds.isEmpty() ? NONE : new FieldFacts(bounds, Set.of(), Map.of(), Map.of(), false);
    }
}
