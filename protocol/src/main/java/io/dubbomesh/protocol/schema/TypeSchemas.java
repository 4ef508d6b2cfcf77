package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.JavaType;
import io.dubbomesh.protocol.type.JavaType.Kind;
import io.dubbomesh.protocol.type.JavaTypes;
import io.dubbomesh.protocol.value.JsonValues;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes JSON Schemas of the types of services. A class has schemas of its own, which others refer to: one for results
 * and, with {@code -Input} behind its name, one for arguments, since an argument has no other fields than the class;
 * each with {@code -Any} for values that may be of a subclass. Nothing is recursive but by reference, and what is
 * written grows with the number of classes and fields alone. Used once, by one thread.
 */
public final class TypeSchemas {
    private static final String CLASS = JsonValues.CLASS;
    private static final String OF_ARGUMENTS = "-Input";
    private static final String WITH_SUBCLASSES = "-Any";

    private final JavaTypes types;
    private final SchemaForms forms;
    private final SchemaNames names;
    private final String place;
    private final JsonGenerator json;
    /** The classes that are a subclass or have one: their values name their class. */
    private final Set<String> families = new HashSet<>();

    private final Set<Schema> known = new HashSet<>();
    private final Queue<Schema> toWrite = new ArrayDeque<>();

    /** @param withSubclasses whether it is of all values of the declared type, and not of one class */
    private record Schema(JavaType type, boolean ofArguments, boolean withSubclasses) {}

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
        types = new JavaTypes(definitions);
        this.forms = forms;
        this.names = names;
        this.place = place;
        this.json = json;
        definitions.forEach((name, definition) -> {
            if (definition.subclasses() != null && !definition.subclasses().isEmpty()) {
                families.add(name);
                families.addAll(definition.subclasses());
            }
        });
    }

    /** Returns the type of this name, as Java source has it. */
    public JavaType type(String name) {
        return types.of(name);
    }

    /** Writes the schema of an argument for a parameter of this type. */
    public void writeArgument(String name) throws IOException {
        writeArgument(types.of(name));
    }

    /** Writes the schema of what a caller gets of a method that returns this type. */
    public void writeResult(String name) throws IOException {
        if (name.equals("void")) {
            writeNull();
        } else {
            write(types.of(DeclaredType.value(name)), false);
        }
    }

    /** Writes the schemas of all classes that the schemas written before refer to, as members of the current object. */
    public void writeClasses() throws IOException {
        Schema schema;
        while ((schema = toWrite.poll()) != null) {
            json.writeFieldName(nameOf(schema));
            if (schema.withSubclasses()) {
                writeFamily(schema.type(), schema.ofArguments());
            } else if (schema.type().kind() == Kind.ENUM) {
                writeConstants(schema.type().definition().constants(), false);
            } else if (schema.type().kind() == Kind.OBJECT) {
                writeObject(schema.type(), schema.ofArguments());
            } else {
                writeContainer(schema.type(), schema.ofArguments(), false);
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

    void writeArgument(JavaType type) throws IOException {
        if (JavaTypes.isMadeByNobody(type)) {
            writeNull();
        } else {
            write(type, true);
        }
    }

    private void write(JavaType type, boolean argument) throws IOException {
        boolean nullable = !type.isPrimitive();
        switch (type.kind()) {
            case ARRAY -> writeContainer(type, argument, nullable);
            case LIST, MAP -> {
                if (type.definition() == null) {
                    writeContainer(type, argument, nullable);
                } else {
                    writeReference(type, argument, false);
                }
            }
            case OBJECT, INTERFACE -> writeReference(type, argument, hasFamily(type));
            case ENUM -> writeConstant(type, argument);
            case OPTIONAL -> write(type.element(), false);
            case HOLDER -> writeHeld(type);
            case ANY -> writeAny(type, argument);
            case UNKNOWN -> writeUnknown(type, argument);
            case BYTES, CHARS -> writeTextOrArray(type, argument);
            default ->
                writeScalar(
                        argument ? ScalarSchema.ofArgument(type, forms) : ScalarSchema.ofResult(type, forms), nullable);
        }
    }

    private static boolean hasFamily(JavaType type) {
        TypeDefinition definition = type.definition();
        return type.kind() == Kind.INTERFACE
                || definition.isAbstract()
                || definition.subclasses() != null && !definition.subclasses().isEmpty();
    }

    private void writeNull() throws IOException {
        json.writeRawValue("{\"type\":\"null\"}");
    }

    private void writeScalar(List<ScalarSchema> schemas, boolean nullable) throws IOException {
        if (schemas.size() == 1) {
            schemas.get(0).write(json, nullable);
            return;
        }
        beginAnyOf();
        for (ScalarSchema schema : schemas) {
            schema.write(json, false);
        }
        endAnyOf(nullable);
    }

    private void beginAnyOf() throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("anyOf");
    }

    private void endAnyOf(boolean nullable) throws IOException {
        if (nullable) {
            writeNull();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeType(String type, boolean nullable) throws IOException {
        if (nullable) {
            json.writeArrayFieldStart("type");
            json.writeString(type);
            json.writeString("null");
            json.writeEndArray();
        } else {
            json.writeStringField("type", type);
        }
    }

    private void writeReference(JavaType type, boolean argument, boolean withSubclasses) throws IOException {
        beginAnyOf();
        refer(new Schema(type, argument, withSubclasses));
        endAnyOf(true);
    }

    private void refer(Schema schema) throws IOException {
        if (known.add(schema)) {
            toWrite.add(schema);
        }
        json.writeStartObject();
        json.writeStringField("$ref", place + nameOf(schema));
        json.writeEndObject();
    }

    private String nameOf(Schema schema) {
        return names.of(schema.type().use())
                + (schema.withSubclasses() ? WITH_SUBCLASSES : "")
                + (schema.ofArguments() ? OF_ARGUMENTS : "");
    }

    // --- lists and maps ---

    private void writeContainer(JavaType type, boolean argument, boolean nullable) throws IOException {
        if (type.kind() == Kind.MAP) {
            writeMap(type, argument, nullable);
        } else {
            writeList(type.element(), argument, nullable);
        }
    }

    private void writeList(JavaType element, boolean argument, boolean nullable) throws IOException {
        json.writeStartObject();
        writeType("array", nullable);
        json.writeFieldName("items");
        writePart(element, argument);
        json.writeEndObject();
    }

    private void writePart(JavaType type, boolean argument) throws IOException {
        if (argument) {
            writeArgument(type);
        } else {
            write(type, false);
        }
    }

    private void writeMap(JavaType type, boolean argument, boolean nullable) throws IOException {
        boolean byName = isNamed(type.key());
        boolean anyKey = isAny(type.key());
        boolean asObject = byName || anyKey || argument && forms == SchemaForms.ALL;
        // A map without entries is an object whatever the type of its keys is.
        boolean asPairs = !byName || forms == SchemaForms.ALL;
        if (asObject && !asPairs) {
            writeMembers(type, argument, nullable);
            return;
        }
        beginAnyOf();
        if (asObject) {
            writeMembers(type, argument, false);
        } else {
            json.writeRawValue("{\"type\":\"object\",\"maxProperties\":0}");
        }
        writePairs(type, argument);
        endAnyOf(nullable);
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

    private void writeMembers(JavaType type, boolean argument, boolean nullable) throws IOException {
        json.writeStartObject();
        writeType("object", nullable);
        if (argument) {
            writeNames(type.key());
        }
        json.writeFieldName("additionalProperties");
        writePart(type.element(), argument);
        json.writeEndObject();
    }

    private void writeNames(JavaType key) throws IOException {
        switch (key.kind()) {
            case STRING, ANY, UNKNOWN, INTERFACE -> {}
            case ENUM -> {
                json.writeFieldName("propertyNames");
                refer(new Schema(key, false, false));
            }
            case ARRAY, LIST, MAP, OBJECT, OPTIONAL, HOLDER, BYTES, CHARS -> json.writeNumberField("maxProperties", 0);
            default -> {
                json.writeFieldName("propertyNames");
                writeScalar(ScalarSchema.ofKey(key), false);
            }
        }
    }

    private void writePairs(JavaType type, boolean argument) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "array");
        json.writeObjectFieldStart("items");
        json.writeStringField("type", "array");
        json.writeArrayFieldStart("prefixItems");
        writePart(type.key(), argument);
        writePart(type.element(), argument);
        json.writeEndArray();
        json.writeObjectFieldStart("items");
        json.writeEndObject();
        json.writeNumberField("minItems", 2);
        json.writeNumberField("maxItems", 2);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Writes the schema of bytes or chars, which are one text. */
    private void writeTextOrArray(JavaType type, boolean argument) throws IOException {
        if (!argument || forms == SchemaForms.CANONICAL) {
            writeScalar(argument ? ScalarSchema.ofArgument(type, forms) : ScalarSchema.ofResult(type, forms), true);
            return;
        }
        beginAnyOf();
        for (ScalarSchema schema : ScalarSchema.ofArgument(type, forms)) {
            schema.write(json, false);
        }
        json.writeStartObject();
        json.writeStringField("type", "array");
        json.writeFieldName("items");
        ScalarSchema.ofElement(type).write(json, false);
        json.writeEndObject();
        endAnyOf(true);
    }

    /** Writes the schema of a result that stands for what an object of the JDK holds. */
    private void writeHeld(JavaType type) throws IOException {
        if (type.className().equals("java.util.BitSet")) {
            json.writeStartObject();
            writeType("array", true);
            json.writeFieldName("items");
            write(type.element(), false);
            json.writeEndObject();
            return;
        }
        beginAnyOf();
        write(type.element(), false);
        endAnyOf(true);
    }

    // --- enums and what has no class ---

    private void writeConstant(JavaType type, boolean argument) throws IOException {
        beginAnyOf();
        refer(new Schema(type, false, false));
        if (argument && forms == SchemaForms.ALL) {
            writeNamedConstant(type, false);
        }
        endAnyOf(true);
    }

    private void writeConstants(List<String> constants, boolean nullable) throws IOException {
        json.writeStartObject();
        writeType("string", nullable);
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
    private void writeNamedConstant(JavaType type, boolean withClass) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "object");
        json.writeObjectFieldStart("properties");
        if (withClass) {
            writeOwnName(type);
        }
        json.writeFieldName("name");
        refer(new Schema(type, false, false));
        json.writeEndObject();
        json.writeArrayFieldStart("required");
        if (withClass) {
            json.writeString(CLASS);
        }
        json.writeString("name");
        json.writeEndArray();
        json.writeBooleanField("additionalProperties", false);
        json.writeEndObject();
    }

    private void writeAny(JavaType type, boolean argument) throws IOException {
        boolean isBound = argument || forms == SchemaForms.CANONICAL;
        if (isBound && type.className().equals("java.lang.Number")) {
            json.writeRawValue("{\"type\":[\"number\",\"null\"]}");
        } else if (argument && type.className().equals("java.lang.Comparable")) {
            json.writeRawValue("{\"type\":[\"string\",\"number\",\"boolean\",\"null\"]}");
        } else if (argument && type.isVariable()) {
            // The report does not tell of which class an object is.
            json.writeRawValue("{\"type\":[\"string\",\"number\",\"boolean\",\"array\",\"object\",\"null\"],"
                    + "\"if\":{\"type\":\"object\"},\"then\":{\"required\":[\"" + CLASS + "\"]}}");
        } else {
            json.writeRawValue("{}");
        }
    }

    private void writeUnknown(JavaType type, boolean argument) throws IOException {
        List<String> constants = JavaTypes.constantsOfJdk(type.className());
        if (constants == null || argument && forms == SchemaForms.ALL) {
            json.writeRawValue("{}");
        } else {
            writeConstants(constants, true);
        }
    }

    // --- classes ---

    private void writeObject(JavaType type, boolean argument) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "object");
        boolean isInFamily = families.contains(type.use());
        boolean namesClass = !type.fields().containsKey(CLASS) && (isInFamily || argument && forms == SchemaForms.ALL);
        json.writeObjectFieldStart("properties");
        if (namesClass && argument) {
            writeOwnName(type);
        } else if (namesClass) {
            json.writeObjectFieldStart(CLASS);
            json.writeStringField("type", "string");
            json.writeEndObject();
        }
        for (Map.Entry<String, JavaType> field : type.fields().entrySet()) {
            json.writeFieldName(field.getKey());
            writePart(field.getValue(), argument);
        }
        json.writeEndObject();
        if (argument) {
            writeSpellings(type);
            if (namesClass && isInFamily && forms == SchemaForms.CANONICAL) {
                writeRequired(CLASS);
            }
            json.writeBooleanField("additionalProperties", false);
        }
        json.writeEndObject();
    }

    private void writeRequired(String name) throws IOException {
        json.writeArrayFieldStart("required");
        json.writeString(name);
        json.writeEndArray();
    }

    private void writeOwnName(JavaType type) throws IOException {
        json.writeObjectFieldStart(CLASS);
        json.writeStringField("type", "string");
        json.writeStringField("const", MethodDefinition.erased(type.className()));
        json.writeEndObject();
    }

    /** Writes that a field may have another name, and not two of them in one object. */
    private void writeSpellings(JavaType type) throws IOException {
        if (forms != SchemaForms.ALL || type.spellings().isEmpty()) {
            return;
        }
        Map<String, List<String>> others = new TreeMap<>();
        type.spellings()
                .forEach((spelling, field) -> others.computeIfAbsent(field, absent -> new ArrayList<>())
                        .add(spelling));
        json.writeObjectFieldStart("dependentSchemas");
        for (Map.Entry<String, List<String>> field : others.entrySet()) {
            for (String spelling : field.getValue()) {
                json.writeObjectFieldStart(spelling);
                json.writeObjectFieldStart("properties");
                json.writeBooleanField(field.getKey(), false);
                for (String other : field.getValue()) {
                    if (!other.equals(spelling)) {
                        json.writeBooleanField(other, false);
                    }
                }
                json.writeEndObject();
                json.writeEndObject();
            }
        }
        json.writeEndObject();
        json.writeObjectFieldStart("patternProperties");
        for (Map.Entry<String, List<String>> field : others.entrySet()) {
            json.writeFieldName(SchemaText.anyOf(field.getValue()));
            writeArgument(type.fields().get(field.getKey()));
        }
        json.writeEndObject();
    }

    /** Writes the schema of values that may be of the declared class or of a subclass of it. */
    private void writeFamily(JavaType type, boolean argument) throws IOException {
        boolean isEmpty = subclasses(type).isEmpty();
        if (type.kind() == Kind.INTERFACE && (isEmpty || argument && forms == SchemaForms.ALL)) {
            writeAnyImplementation(type, argument, isEmpty);
            return;
        }
        boolean hasOwn =
                type.kind() == Kind.OBJECT && (!argument || !type.definition().isAbstract());
        if (argument && isEmpty && !hasOwn) {
            json.writeRawValue("{\"not\":{}}");
            return;
        }
        json.writeStartObject();
        writeVariants(type, argument, hasOwn);
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

    private void writeVariants(JavaType type, boolean argument, boolean hasOwn) throws IOException {
        // Results do not name their classes unless the request asks for it, so that several may fit.
        json.writeArrayFieldStart(argument ? "oneOf" : "anyOf");
        if (hasOwn) {
            refer(new Schema(type, argument, false));
        }
        for (JavaType subclass : subclasses(type)) {
            if (subclass.kind() == Kind.ENUM) {
                writeEnumVariant(subclass, argument);
            } else if (argument && forms == SchemaForms.ALL) {
                json.writeStartObject();
                writeRequired(CLASS);
                json.writeArrayFieldStart("allOf");
                refer(new Schema(subclass, true, false));
                json.writeEndArray();
                json.writeEndObject();
            } else {
                refer(new Schema(subclass, argument, false));
            }
        }
        json.writeEndArray();
        json.writeObjectFieldStart("discriminator");
        json.writeStringField("propertyName", CLASS);
        json.writeObjectFieldStart("mapping");
        if (hasOwn) {
            json.writeStringField(type.className(), place + nameOf(new Schema(type, argument, false)));
        }
        for (JavaType subclass : subclasses(type)) {
            if (subclass.kind() != Kind.ENUM) {
                json.writeStringField(subclass.className(), place + nameOf(new Schema(subclass, argument, false)));
            }
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeEnumVariant(JavaType subclass, boolean argument) throws IOException {
        if (argument) {
            writeNamedConstant(subclass, true);
        } else {
            refer(new Schema(subclass, false, false));
        }
    }

    /** Writes the schema of an interface: of what names no class the provider makes a value. */
    private void writeAnyImplementation(JavaType type, boolean argument, boolean isEmpty) throws IOException {
        if (!argument) {
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
            writeVariants(type, true, false);
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
