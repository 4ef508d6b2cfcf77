package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.type.JavaType;
import io.dubbomesh.protocol.value.JsonValues;

import java.io.IOException;
import java.util.List;

/** Writes schemas of enums: their constants, and the objects by which an argument may name one. */
final class EnumSchemas {
    private final SchemaForms forms;
    private final ClassSchemas classes;
    private final SchemaGenerator json;

    EnumSchemas(SchemaForms forms, ClassSchemas classes, SchemaGenerator json) {
        this.forms = forms;
        this.classes = classes;
        this.json = json;
    }

    void writeConstant(JavaType type, ValueRole role, boolean nullable) throws IOException {
        boolean isNamed = role.isArgument() && forms == SchemaForms.ALL;
        if (!nullable && !isNamed) {
            classes.refer(classes.ofEnum(type));
            return;
        }
        json.beginAnyOf();
        classes.refer(classes.ofEnum(type));
        if (isNamed) {
            writeNamedConstant(type, false);
        }
        json.endAnyOf(nullable);
    }

    void writeConstants(List<String> constants, boolean nullable) throws IOException {
        json.writeStartObject();
        json.writeType("string", nullable);
        json.writeArrayFieldStart("enum");
        for (String constant : constants) {
            json.writeString(constant);
        }
        if (nullable) {
            json.writeNull();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Writes the schema of an object whose {@code name} is that of a constant. */
    void writeNamedConstant(JavaType type, boolean withClass) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "object");
        json.writeObjectFieldStart("properties");
        if (withClass) {
            writeClassName(type, json);
        }
        json.writeFieldName("name");
        classes.refer(classes.ofEnum(type));
        json.writeEndObject();
        json.writeArrayFieldStart("required");
        if (withClass) {
            json.writeString(JsonValues.CLASS);
        }
        json.writeString("name");
        json.writeEndArray();
        json.writeBooleanField("additionalProperties", false);
        json.writeEndObject();
    }

    /** Writes the member by which an argument names its class. */
    static void writeClassName(JavaType type, SchemaGenerator json) throws IOException {
        json.writeObjectFieldStart(JsonValues.CLASS);
        json.writeStringField("type", "string");
        json.writeStringField("const", MethodDefinition.erased(type.className()));
        json.writeEndObject();
    }
}
