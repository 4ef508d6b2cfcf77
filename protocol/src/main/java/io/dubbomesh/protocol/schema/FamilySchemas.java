package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.type.JavaType;
import io.dubbomesh.protocol.type.JavaType.Kind;
import io.dubbomesh.protocol.type.JavaTypes;
import io.dubbomesh.protocol.value.JsonValues;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Writes schemas of values that may be of the declared class or of a subclass of it. */
final class FamilySchemas {
    private static final String CLASS = JsonValues.CLASS;

    private final JavaTypes types;
    private final SchemaForms forms;
    private final ClassSchemas classes;
    private final EnumSchemas enums;
    private final SchemaGenerator json;

    FamilySchemas(JavaTypes types, SchemaForms forms, ClassSchemas classes, EnumSchemas enums, SchemaGenerator json) {
        this.types = types;
        this.forms = forms;
        this.classes = classes;
        this.enums = enums;
        this.json = json;
    }

    void write(JavaType type, ValueRole role) throws IOException {
        boolean isEmpty = subclasses(type).isEmpty();
        if (type.kind() == Kind.INTERFACE && (isEmpty || role.isArgument() && forms == SchemaForms.ALL)) {
            writeAnyImplementation(type, role, isEmpty);
            return;
        }
        boolean hasOwn = type.kind() == Kind.OBJECT
                && (!role.isArgument() || !type.definition().isAbstract());
        if (role.isArgument() && isEmpty && !hasOwn) {
            json.writeNothing();
            return;
        }
        json.writeStartObject();
        writeVariants(type, role, hasOwn);
        json.writeEndObject();
    }

    /** Returns the subclasses whose values are objects or constants. */
    private List<JavaType> subclasses(JavaType type) {
        Set<String> subclasses = type.definition().subclasses();
        return subclasses == null
                ? List.of()
                : subclasses.stream()
                        .map(types::of)
                        .filter(subclass -> subclass.kind() == Kind.OBJECT || subclass.kind() == Kind.ENUM)
                        .toList();
    }

    private void writeVariants(JavaType type, ValueRole role, boolean hasOwn) throws IOException {
        // Results do not name their classes unless the request asks for it, so that several may fit. Clients take the
        // first that does, and lose the fields that it does not have: the declared class is the last one.
        json.writeArrayFieldStart(role.isArgument() ? "oneOf" : "anyOf");
        if (hasOwn && role.isArgument()) {
            classes.refer(classes.of(type, role, false));
        }
        for (JavaType subclass : subclasses(type)) {
            if (subclass.kind() == Kind.ENUM) {
                writeEnumVariant(subclass, role);
            } else if (role.isArgument() && forms == SchemaForms.ALL) {
                json.writeStartObject();
                json.writeRequired(List.of(CLASS));
                json.writeArrayFieldStart("allOf");
                classes.refer(classes.of(subclass, role, false));
                json.writeEndArray();
                json.writeEndObject();
            } else {
                classes.refer(classes.of(subclass, role, false));
            }
        }
        if (hasOwn && !role.isArgument()) {
            classes.refer(classes.of(type, role, false));
        }
        if (!role.isArgument()) {
            // The same as beside each reference: a generated class for Java reads null only if its own schema has it.
            json.writeNullType();
            json.writeEndArray();
            return;
        }
        json.writeEndArray();
        json.writeObjectFieldStart("discriminator");
        json.writeStringField("propertyName", CLASS);
        json.writeObjectFieldStart("mapping");
        if (hasOwn) {
            json.writeStringField(type.className(), classes.placeOf(classes.of(type, role, false)));
        }
        for (JavaType subclass : subclasses(type)) {
            if (subclass.kind() != Kind.ENUM) {
                json.writeStringField(subclass.className(), classes.placeOf(classes.of(subclass, role, false)));
            }
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeEnumVariant(JavaType subclass, ValueRole role) throws IOException {
        if (role.isArgument()) {
            enums.writeNamedConstant(subclass, true);
        } else {
            classes.refer(classes.ofEnum(subclass));
        }
    }

    /** Writes the schema of an interface: of what names no class the provider makes a value. */
    private void writeAnyImplementation(JavaType type, ValueRole role, boolean isEmpty) throws IOException {
        if (!role.isArgument()) {
            json.writeRawValue("{}");
            return;
        }
        json.writeStartObject();
        json.writeFieldName("if");
        json.writeRawValue("{\"type\":\"object\",\"required\":[\"" + CLASS + "\"],\"properties\":{\"" + CLASS
                + "\":{\"type\":\"string\",\"pattern\":\"[.]\"}}}");
        json.writeFieldName("then");
        if (isEmpty) {
            json.writeBoolean(false);
        } else {
            json.writeStartObject();
            writeVariants(type, role, false);
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
