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
 * @param facts          about the fields
 * @param subclasses the names in {@link ServiceDefinition#types} of the classes and enums a value may have instead;
 *     null if they are not known
 * @param isMentioned    whether the service's methods mention it, and the classes and fields that they mention; if
 *     not, it is known as a subclass only, and providers may not trust it
 * @param container      null unless its values are elements or entries, and not fields
 */
public record TypeDefinition(
        String name,
        Kind kind,
        List<String> constants,
        Map<String, String> fields,
        FieldFacts facts,
        Set<String> subclasses,
        boolean isMentioned,
        Container container) {

    public enum Kind {
        CLASS,
        RECORD,
        /** No value is of this class itself, but of a subclass. */
        ABSTRACT_CLASS,
        /** No value is of this type itself, but of a class or an enum that implements it. Has no fields. */
        INTERFACE,
        ENUM
    }

    /**
     * The contents of a class that extends or implements a collection or a map.
     *
     * @param supertype    the collection or map, as {@code java.util.HashMap<java.lang.String,a.B>}
     * @param constructible whether an empty one can be made
     */
    public record Container(String supertype, boolean constructible) {}

    public TypeDefinition {
        constants = List.copyOf(constants);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        if (kind == Kind.ENUM || container != null) {
            subclasses = Set.of();
        } else if (subclasses != null) {
            subclasses = Collections.unmodifiableSet(new LinkedHashSet<>(subclasses));
        }
    }

    /**
     * A class of whose fields little is known.
     *
     * @param variableFields those that the class declares as type variables without bounds
     */
    public TypeDefinition(
            String name,
            Kind kind,
            List<String> constants,
            Map<String, String> fields,
            Set<String> variableFields,
            Set<String> subclasses) {
        this(name, kind, constants, fields, FieldFacts.ofVariables(variableFields), subclasses, true, null);
    }

    /** An enum, if there are constants, else a class whose subclasses are not known. */
    public TypeDefinition(String name, List<String> constants, Map<String, String> fields) {
        this(name, constants.isEmpty() ? Kind.CLASS : Kind.ENUM, constants, fields, Set.of(), null);
    }

    TypeDefinition with(Set<String> knownSubclasses, boolean mentioned) {
        return new TypeDefinition(name, kind, constants, fields, facts, knownSubclasses, mentioned, container);
    }

    /**
     * Returns the names of fields that the class declares as type variables: a reader of its values does not know their
     * types.
     */
    public Set<String> variableFields() {
        return facts.bounds().keySet();
    }

    public boolean isEnum() {
        return kind == Kind.ENUM;
    }

    /** Returns whether a value must name its class. */
    public boolean isAbstract() {
        return container == null && (kind == Kind.ABSTRACT_CLASS || kind == Kind.INTERFACE);
    }
}
