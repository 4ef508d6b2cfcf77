package io.dubbomesh.protocol.definition;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A class that is not of the JDK; the names of types are those of {@link ServiceDefinition}.
 *
 * @param name           without type arguments
 * @param constants      the names of an enum's constants, empty for any other class
 * @param fields by name, in order: their types, those of superclasses included; of fields of the same name, the
 *     subclass's
 * @param variableFields the names of fields that the class declares as type variables: a reader of its values does not
 *     know their types
 * @param subclasses the names in {@link ServiceDefinition#types} of the classes and enums a value may have instead;
 *     null if they are not known
 */
public record TypeDefinition(
        String name,
        Kind kind,
        List<String> constants,
        Map<String, String> fields,
        Set<String> variableFields,
        Set<String> subclasses) {

    public enum Kind {
        CLASS,
        RECORD,
        /** No value is of this class itself, but of a subclass. */
        ABSTRACT_CLASS,
        /** No value is of this type itself, but of a class or an enum that implements it. Has no fields. */
        INTERFACE,
        ENUM
    }

    public TypeDefinition {
        constants = List.copyOf(constants);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        variableFields = Set.copyOf(variableFields);
        if (kind == Kind.ENUM) {
            subclasses = Set.of();
        } else if (subclasses != null) {
            subclasses = Collections.unmodifiableSet(new LinkedHashSet<>(subclasses));
        }
    }

    /** An enum, if there are constants, else a class whose subclasses are not known. */
    public TypeDefinition(String name, List<String> constants, Map<String, String> fields) {
        this(name, constants.isEmpty() ? Kind.CLASS : Kind.ENUM, constants, fields, Set.of(), null);
    }

    TypeDefinition withSubclasses(Set<String> known) {
        return new TypeDefinition(name, kind, constants, fields, variableFields, known);
    }

    public boolean isEnum() {
        return kind == Kind.ENUM;
    }

    /** Whether a value must name its class. */
    public boolean isAbstract() {
        return kind == Kind.ABSTRACT_CLASS || kind == Kind.INTERFACE;
    }
}
