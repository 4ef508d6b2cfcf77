package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.javadoc.ClassTexts;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.JavaType;
import io.dubbomesh.protocol.type.JavaType.Kind;
import io.dubbomesh.protocol.type.JavaTypes;
import io.dubbomesh.protocol.value.JsonValues;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Writes JSON Schemas of the types of services. A class has schemas of its own, which others refer to: one for results
 * and, with {@code -Input} behind its name, one for arguments, since an argument has no other fields than the class;
 * each with {@code -Any} for values that may be of a subclass, and {@code -Unchecked} for arguments of a class with
 * constraints that are not validated. Nothing is recursive but by reference, and what is
 * written grows with the number of classes and fields alone. Used once, by one thread.
 */
public final class TypeSchemas {
    private final JavaTypes types;
    private final SchemaForms forms;
    private final ClassTexts texts;
    private final SchemaGenerator json;
    private final ClassSchemas classes;
    private final EnumSchemas enums;
    private final ContainerSchemas containers;
    private final ObjectSchemas objects;
    private final FamilySchemas families;

    /**
     * Writes schemas.
     *
     * @param definitions by the name of the class
     * @param place       of the schemas of classes in the document, for references: {@code #/components/schemas/}
     */
    public TypeSchemas(
            Map<String, TypeDefinition> definitions,
            SchemaForms forms,
            SchemaNames names,
            String place,
            JsonGenerator json) {
        this(definitions, forms, names, place, json, ClassTexts.NONE);
    }

    /** Writes schemas likewise, with what people have written about the classes. */
    public TypeSchemas(
            Map<String, TypeDefinition> definitions,
            SchemaForms forms,
            SchemaNames names,
            String place,
            JsonGenerator json,
            ClassTexts texts) {
        types = new JavaTypes(definitions);
        this.forms = forms;
        this.texts = texts;
        this.json = new SchemaGenerator(json);
        classes = new ClassSchemas(definitions, names, place, this.json);
        enums = new EnumSchemas(forms, classes, this.json);
        containers = new ContainerSchemas(forms, classes, this::writePart, this.json);
        objects = new ObjectSchemas(forms, classes, texts, this::writePart, this.json);
        families = new FamilySchemas(types, forms, classes, enums, this.json);
    }

    /** Returns the type of this name, as Java source has it. */
    public JavaType type(String name) {
        return types.of(name);
    }

    /** Writes the schema of an argument for a parameter of this type, whose fields keep to their constraints. */
    public void writeArgument(String name) throws IOException {
        writeArgument(types.of(name), ValueRole.VALIDATED, ValueLimits.NONE);
    }

    /** Writes the schema of what a caller gets of a method that returns this type. */
    public void writeResult(String name) throws IOException {
        if (name.equals("void")) {
            json.writeNullType();
        } else {
            write(types.of(DeclaredType.value(name)), ValueRole.RESULT, ValueLimits.NONE);
        }
    }

    /** Writes the schemas of all classes that the schemas written before refer to, as members of the current object. */
    public void writeClasses() throws IOException {
        ClassSchemas.ClassSchema schema;
        while ((schema = classes.next()) != null) {
            json.writeFieldName(classes.nameOf(schema));
            json.describe(texts.ofClass(schema.type().className()));
            if (schema.withSubclasses()) {
                families.write(schema.type(), schema.role());
            } else if (schema.type().kind() == Kind.ENUM) {
                enums.writeConstants(schema.type().definition().constants(), false);
            } else if (schema.type().kind() == Kind.OBJECT) {
                objects.write(schema.type(), schema.role());
            } else {
                containers.write(schema.type(), schema.role(), ValueLimits.NONE, false);
            }
        }
    }

    /** Returns whether an array may be an argument of this type. */
    static boolean mayBeArray(JavaType type) {
        return switch (type.kind()) {
            case ARRAY, LIST, MAP, BYTES, CHARS, ANY, UNKNOWN, INTERFACE -> true;
            default -> false;
        };
    }

    /** Returns whether an argument of this type is an object of a class, or of a subclass. */
    static boolean isObject(JavaType type) {
        return type.kind() == Kind.OBJECT && !JavaTypes.isMadeByNobody(type);
    }

    /** Writes a reference to the schema of an argument that is such an object, and so not null. */
    void referToArgument(JavaType type, ValueRole role) throws IOException {
        classes.refer(classes.of(type, role, ClassSchemas.hasFamily(type)));
    }

    void writeArgument(JavaType type, ValueRole role, ValueLimits limits) throws IOException {
        if (!JavaTypes.isMadeByNobody(type)) {
            write(type, role, limits);
        } else if (limits.allowsNull()) {
            json.writeNullType();
        } else {
            json.writeNothing();
        }
    }

    private void write(JavaType type, ValueRole role, ValueLimits limits) throws IOException {
        boolean nullable = !type.isPrimitive() && limits.allowsNull();
        switch (type.kind()) {
            case ARRAY -> containers.write(type, role, limits, nullable);
            case LIST, MAP -> {
                if (type.definition() == null) {
                    containers.write(type, role, limits, nullable);
                } else {
                    writeReference(classes.of(type, role, false), limits, nullable);
                }
            }
            case OBJECT, INTERFACE ->
                writeReference(classes.of(type, role, ClassSchemas.hasFamily(type)), ValueLimits.NONE, nullable);
            case ENUM -> enums.writeConstant(type, role, nullable);
            case OPTIONAL -> write(type.element(), role, limits);
            case HOLDER -> writeHeld(type);
            case ANY -> writeAny(type, role, nullable);
            case UNKNOWN -> writeUnknown(type, role, nullable);
            case BYTES, CHARS -> writeTextOrArray(type, role, nullable);
            default -> json.writeScalars(scalars(type, role, limits), nullable);
        }
    }

    private List<ScalarSchema> scalars(JavaType type, ValueRole role, ValueLimits limits) {
        return role.isArgument() ? ScalarSchema.ofArgument(type, forms, limits) : ScalarSchema.ofResult(type, forms);
    }

    /** @param limits of the number of elements or entries */
    private void writeReference(ClassSchemas.ClassSchema schema, ValueLimits limits, boolean nullable)
            throws IOException {
        boolean isLimited = limits.minSize() > 0 || limits.maxSize() < Integer.MAX_VALUE;
        if (!nullable && !isLimited && schema.type().kind() != Kind.INTERFACE) {
            classes.refer(schema);
            return;
        }
        json.writeStartObject();
        json.writeArrayFieldStart("anyOf");
        classes.refer(schema);
        if (nullable) {
            json.writeNullType();
        }
        json.writeEndArray();
        if (!nullable && schema.type().kind() == Kind.INTERFACE) {
            json.writeNotNull();
        }
        containers.writeSizes(schema.type(), limits, "minItems", "maxItems");
        if (schema.type().kind() == Kind.MAP) {
            containers.writeSizes(schema.type(), limits, "minProperties", "maxProperties");
        }
        json.writeEndObject();
    }

    private void writePart(JavaType type, ValueRole role, ValueLimits limits) throws IOException {
        if (role.isArgument()) {
            writeArgument(type, role, limits);
        } else {
            write(type, role, limits);
        }
    }

    /** Writes the schema of bytes or chars, which are one text. */
    private void writeTextOrArray(JavaType type, ValueRole role, boolean nullable) throws IOException {
        List<ScalarSchema> texts = scalars(type, role, ValueLimits.NONE);
        if (!role.isArgument() || forms == SchemaForms.CANONICAL) {
            json.writeScalars(texts, nullable);
            return;
        }
        json.beginAnyOf();
        for (ScalarSchema schema : texts) {
            schema.write(json, false);
        }
        json.writeStartObject();
        json.writeStringField("type", "array");
        json.writeFieldName("items");
        ScalarSchema.ofElement(type).write(json, false);
        json.writeEndObject();
        json.endAnyOf(nullable);
    }

    /** Writes the schema of a result that stands for what an object of the JDK holds. */
    private void writeHeld(JavaType type) throws IOException {
        if (type.className().equals("java.util.BitSet")) {
            json.writeStartObject();
            json.writeType("array", true);
            json.writeFieldName("items");
            write(type.element(), ValueRole.RESULT, ValueLimits.NONE);
            json.writeEndObject();
            return;
        }
        json.beginAnyOf();
        write(type.element(), ValueRole.RESULT, ValueLimits.NONE);
        json.endAnyOf(true);
    }

    private void writeAny(JavaType type, ValueRole role, boolean nullable) throws IOException {
        boolean isBound = role.isArgument() || forms == SchemaForms.CANONICAL;
        json.writeStartObject();
        if (isBound && type.className().equals("java.lang.Number")) {
            json.writeTypes(nullable, "number");
        } else if (role.isArgument() && type.className().equals("java.lang.Comparable")) {
            json.writeTypes(nullable, "string", "number", "boolean");
        } else if (role.isArgument() && type.isVariable()) {
            // The report does not tell of which class an object is.
            json.writeTypes(nullable, "string", "number", "boolean", "array", "object");
            json.writeFieldName("if");
            json.writeRawValue("{\"type\":\"object\"}");
            json.writeObjectFieldStart("then");
            json.writeRequired(List.of(JsonValues.CLASS));
            json.writeEndObject();
        } else if (!nullable) {
            json.writeNotNull();
        }
        json.writeEndObject();
    }

    private void writeUnknown(JavaType type, ValueRole role, boolean nullable) throws IOException {
        List<String> constants = JavaTypes.constantsOfJdk(type.className());
        if (constants != null && !(role.isArgument() && forms == SchemaForms.ALL)) {
            enums.writeConstants(constants, nullable);
            return;
        }
        json.writeStartObject();
        if (!nullable) {
            json.writeNotNull();
        }
        json.writeEndObject();
    }
}
