package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.type.JavaType;
import io.dubbomesh.protocol.type.JavaType.Kind;
import io.dubbomesh.protocol.type.JavaTypes;

import java.io.IOException;

/** Writes schemas of arrays, lists and maps. */
final class ContainerSchemas {
    private final SchemaForms forms;
    private final ClassSchemas classes;
    private final PartSchemas parts;
    private final SchemaGenerator json;

    ContainerSchemas(SchemaForms forms, ClassSchemas classes, PartSchemas parts, SchemaGenerator json) {
        this.forms = forms;
        this.classes = classes;
        this.parts = parts;
        this.json = json;
    }

    void write(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        if (type.kind() == Kind.MAP) {
            writeMap(type, role, limits, nullable);
        } else {
            writeList(type, role, limits, nullable);
        }
    }

    private void writeList(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        json.writeStartObject();
        json.writeType("array", nullable);
        json.writeFieldName("items");
        parts.writePart(type.element(), role, limits.ofElements());
        writeSizes(type, limits, "minItems", "maxItems");
        json.writeEndObject();
    }

    private void writeMap(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        boolean byName = isNamed(type.key());
        boolean anyKey = isAny(type.key());
        boolean asObject = byName || anyKey || role.isArgument() && forms == SchemaForms.ALL;
        // A map without entries is an object with keys of any type.
        boolean asPairs = !byName || forms == SchemaForms.ALL;
        if (asObject && !asPairs) {
            writeMembers(type, role, limits, nullable);
            return;
        }
        if (forms == SchemaForms.CANONICAL) {
            if (role.isArgument()) {
                writePairs(type, role, limits, nullable);
            } else {
                writePairsOrEmpty(type, anyKey);
            }
            return;
        }
        json.beginAnyOf();
        if (asObject) {
            writeMembers(type, role, limits, false);
        } else if (limits.minSize() == 0) {
            json.writeRawValue("{\"type\":\"object\",\"maxProperties\":0}");
        }
        writePairs(type, role, limits, false);
        json.endAnyOf(nullable);
    }

    /** Returns whether the keys of every such map are text in JSON. */
    private static boolean isNamed(JavaType key) {
        return switch (key.kind()) {
            case STRING, CHAR, ENUM, TEXT -> true;
            default -> JavaTypes.constantsOfJdk(key.className()) != null;
        };
    }

    private static boolean isAny(JavaType key) {
        return switch (key.kind()) {
            case ANY, UNKNOWN, INTERFACE, BYTES, CHARS -> true;
            default -> false;
        };
    }

    private void writeMembers(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        json.writeStartObject();
        json.writeType("object", nullable);
        if (role.isArgument()) {
            writeNames(type.key());
        }
        json.writeFieldName("additionalProperties");
        parts.writePart(type.element(), role, limits.ofElements());
        writeSizes(type, limits, "minProperties", "maxProperties");
        json.writeEndObject();
    }

    private void writeNames(JavaType key) throws IOException {
        switch (key.kind()) {
            case STRING, ANY, UNKNOWN, INTERFACE -> {}
            case ENUM -> {
                json.writeFieldName("propertyNames");
                classes.refer(classes.ofEnum(key));
            }
            case ARRAY, LIST, MAP, OBJECT, OPTIONAL, HOLDER, BYTES, CHARS -> json.writeNumberField("maxProperties", 0);
            default -> {
                json.writeFieldName("propertyNames");
                json.writeScalars(ScalarSchema.ofKey(key), false);
            }
        }
    }

    private void writePairs(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        json.writeStartObject();
        json.writeType("array", nullable);
        writeSizes(type, limits, "minItems", "maxItems");
        json.writeFieldName("items");
        writePair(type, role, limits.ofElements());
        json.writeEndObject();
    }

    /**
     * Writes the schema of a result that is an array of pairs, or an object. It has no {@code type}: generators make
     * code of {@code anyOf} with an array that does not compile, and cannot read the object as an array.
     */
    private void writePairsOrEmpty(JavaType type, boolean anyKey) throws IOException {
        json.writeStartObject();
        json.writeFieldName("items");
        writePair(type, ValueRole.RESULT, ValueLimits.NONE);
        if (!anyKey) {
            json.writeNumberField("maxProperties", 0);
        }
        json.writeEndObject();
    }

    private void writePair(JavaType type, ValueRole role, ValueLimits ofElement) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "array");
        json.writeArrayFieldStart("prefixItems");
        parts.writePart(type.key(), role, ValueLimits.NONE);
        parts.writePart(type.element(), role, ofElement);
        json.writeEndArray();
        json.writeObjectFieldStart("items");
        json.writeEndObject();
        json.writeNumberField("minItems", 2);
        json.writeNumberField("maxItems", 2);
        json.writeEndObject();
    }

    /** Writes the limits of a size; that of a set or a map may become smaller than what is sent. */
    void writeSizes(JavaType type, ValueLimits limits, String min, String max) throws IOException {
        boolean mayShrink = type.kind() == Kind.MAP || type.className().contains("Set");
        if (limits.minSize() > 0) {
            json.writeNumberField(min, limits.minSize());
        }
        if (limits.maxSize() < Integer.MAX_VALUE && (!mayShrink || forms == SchemaForms.CANONICAL)) {
            json.writeNumberField(max, limits.maxSize());
        }
    }
}
