package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.type.JavaType;
import io.dubbomesh.protocol.type.JavaType.Kind;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** The schemas of classes: their names, which of them there must be, and which are written. */
final class ClassSchemas {
    private static final String OF_ARGUMENTS = "-Input";
    private static final String WITH_SUBCLASSES = "-Any";
    private static final String NOT_VALIDATED = "-Unchecked";

    /**
     * A schema of a class to which others refer.
     *
     * @param withSubclasses whether it is of all values of the declared type, and not of one class
     */
    record ClassSchema(JavaType type, ValueRole role, boolean withSubclasses) {}

    private final SchemaNames names;
    private final String place;
    private final SchemaGenerator json;
    /** The classes that are a subclass or have one: their values name their class. */
    private final Set<String> families = new HashSet<>();
    /** The classes that have fields with constraints, or a subclass that has. */
    private final Set<String> constrained = new HashSet<>();

    private final Set<ClassSchema> known = new HashSet<>();
    private final Queue<ClassSchema> toWrite = new ArrayDeque<>();

    /** @param place of the schemas in the document, for references */
    ClassSchemas(Map<String, TypeDefinition> definitions, SchemaNames names, String place, SchemaGenerator json) {
        this.names = names;
        this.place = place;
        this.json = json;
        definitions.forEach((name, definition) -> {
            if (definition.subclasses() != null && !definition.subclasses().isEmpty()) {
                families.add(name);
                families.addAll(definition.subclasses());
            }
            if (hasConstraints(definition)
                    || definition.subclasses() != null
                            && definition.subclasses().stream()
                                    .anyMatch(each -> hasConstraints(definitions.get(each)))) {
                constrained.add(name);
            }
        });
    }

    private static boolean hasConstraints(TypeDefinition definition) {
        return definition != null && !definition.facts().constraints().isEmpty();
    }

    /** Returns whether values of a type may be of a subclass of it. */
    static boolean hasFamily(JavaType type) {
        TypeDefinition definition = type.definition();
        return type.kind() == Kind.INTERFACE
                || definition.isAbstract()
                || definition.subclasses() != null && !definition.subclasses().isEmpty();
    }

    /** Returns whether the class is a subclass or has one. */
    boolean isInFamily(JavaType type) {
        return families.contains(type.use());
    }

    /** Returns the schema of a class; one without constraints has the same for all arguments. */
    ClassSchema of(JavaType type, ValueRole role, boolean withSubclasses) {
        boolean isSame = role == ValueRole.VALIDATED && !constrained.contains(type.use());
        return new ClassSchema(type, isSame ? ValueRole.ARGUMENT : role, withSubclasses);
    }

    /** Returns the schema of the constants of an enum. */
    ClassSchema ofEnum(JavaType type) {
        return new ClassSchema(type, ValueRole.RESULT, false);
    }

    /** Returns a schema that others refer to and that is not written yet, once; null if there is none. */
    ClassSchema next() {
        return toWrite.poll();
    }

    void refer(ClassSchema schema) throws IOException {
        if (known.add(schema)) {
            toWrite.add(schema);
        }
        json.writeStartObject();
        json.writeStringField("$ref", placeOf(schema));
        json.writeEndObject();
    }

    String placeOf(ClassSchema schema) {
        return place + nameOf(schema);
    }

    String nameOf(ClassSchema schema) {
        boolean isUnchecked = schema.role() == ValueRole.ARGUMENT
                && constrained.contains(schema.type().use());
        return names.of(schema.type().use())
                + (schema.withSubclasses() ? WITH_SUBCLASSES : "")
                + (isUnchecked ? NOT_VALIDATED : "")
                + (schema.role().isArgument() ? OF_ARGUMENTS : "");
    }
}
