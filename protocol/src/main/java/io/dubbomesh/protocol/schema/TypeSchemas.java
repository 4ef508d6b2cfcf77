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
 * each with {@code -Any} for values that may be of a subclass, and {@code -Unchecked} for arguments of a class with
 * constraints that are not validated. Nothing is recursive but by reference, and what is
 * written grows with the number of classes and fields alone. Used once, by one thread.
 */
public final class TypeSchemas {
    private static final String CLASS = JsonValues.CLASS;
    private static final String OF_ARGUMENTS = "-Input";
    private static final String WITH_SUBCLASSES = "-Any";
    private static final String NOT_VALIDATED = "-Unchecked";

    private final JavaTypes types;
    private final SchemaForms forms;
    private final SchemaNames names;
    private final String place;
    private final DescribingGenerator json;
    private final SchemaTexts texts;
    /** The classes that are a subclass or have one: their values name their class. */
    private final Set<String> families = new HashSet<>();
    /** The classes that have fields with constraints, or a subclass that has. */
    private final Set<String> constrained = new HashSet<>();

    private final Set<Schema> known = new HashSet<>();
    private final Queue<Schema> toWrite = new ArrayDeque<>();

    /** @param withSubclasses whether it is of all values of the declared type, and not of one class */
    private record Schema(JavaType type, ValueRole role, boolean withSubclasses) {}

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
        this(definitions, forms, names, place, json, SchemaTexts.NONE);
    }

    /** Writes schemas likewise, with what people have written about the classes. */
    public TypeSchemas(
            Map<String, TypeDefinition> definitions,
            SchemaForms forms,
            SchemaNames names,
            String place,
            JsonGenerator json,
            SchemaTexts texts) {
        this.texts = texts;
        types = new JavaTypes(definitions);
        this.forms = forms;
        this.names = names;
        this.place = place;
        this.json = new DescribingGenerator(json);
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
            writeNull();
        } else {
            write(types.of(DeclaredType.value(name)), ValueRole.RESULT, ValueLimits.NONE);
        }
    }

    /** Writes the schemas of all classes that the schemas written before refer to, as members of the current object. */
    public void writeClasses() throws IOException {
        Schema schema;
        while ((schema = toWrite.poll()) != null) {
            json.writeFieldName(nameOf(schema));
            json.describe(texts.ofClass(schema.type().className()));
            if (schema.withSubclasses()) {
                writeFamily(schema.type(), schema.role());
            } else if (schema.type().kind() == Kind.ENUM) {
                writeConstants(schema.type().definition().constants(), false);
            } else if (schema.type().kind() == Kind.OBJECT) {
                writeObject(schema.type(), schema.role());
            } else {
                writeContainer(schema.type(), schema.role(), ValueLimits.NONE, false);
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
        refer(schema(type, role, hasFamily(type)));
    }

    void writeArgument(JavaType type, ValueRole role, ValueLimits limits) throws IOException {
        if (!JavaTypes.isMadeByNobody(type)) {
            write(type, role, limits);
        } else if (limits.allowsNull()) {
            writeNull();
        } else {
            writeNothing();
        }
    }

    private void write(JavaType type, ValueRole role, ValueLimits limits) throws IOException {
        boolean nullable = !type.isPrimitive() && limits.allowsNull();
        switch (type.kind()) {
            case ARRAY -> writeContainer(type, role, limits, nullable);
            case LIST, MAP -> {
                if (type.definition() == null) {
                    writeContainer(type, role, limits, nullable);
                } else {
                    writeReference(schema(type, role, false), limits, nullable);
                }
            }
            case OBJECT, INTERFACE -> writeReference(schema(type, role, hasFamily(type)), ValueLimits.NONE, nullable);
            case ENUM -> writeConstant(type, role, nullable);
            case OPTIONAL -> write(type.element(), role, limits);
            case HOLDER -> writeHeld(type);
            case ANY -> writeAny(type, role, nullable);
            case UNKNOWN -> writeUnknown(type, role, nullable);
            case BYTES, CHARS -> writeTextOrArray(type, role, nullable);
            default -> writeScalar(scalars(type, role, limits), nullable);
        }
    }

    private List<ScalarSchema> scalars(JavaType type, ValueRole role, ValueLimits limits) {
        return role.isArgument() ? ScalarSchema.ofArgument(type, forms, limits) : ScalarSchema.ofResult(type, forms);
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

    private void writeNothing() throws IOException {
        json.writeRawValue("{\"not\":{}}");
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

    /** Returns the schema of a class; one without constraints has the same for all arguments. */
    private Schema schema(JavaType type, ValueRole role, boolean withSubclasses) {
        boolean isSame = role == ValueRole.VALIDATED && !constrained.contains(type.use());
        return new Schema(type, isSame ? ValueRole.ARGUMENT : role, withSubclasses);
    }

    /** @param limits of the number of elements or entries */
    private void writeReference(Schema schema, ValueLimits limits, boolean nullable) throws IOException {
        boolean isLimited = limits.minSize() > 0 || limits.maxSize() < Integer.MAX_VALUE;
        if (!nullable && !isLimited && schema.type().kind() != Kind.INTERFACE) {
            refer(schema);
            return;
        }
        json.writeStartObject();
        json.writeArrayFieldStart("anyOf");
        refer(schema);
        if (nullable) {
            writeNull();
        }
        json.writeEndArray();
        if (!nullable && schema.type().kind() == Kind.INTERFACE) {
            writeNotNull();
        }
        writeSizes(schema.type(), limits, "minItems", "maxItems");
        if (schema.type().kind() == Kind.MAP) {
            writeSizes(schema.type(), limits, "minProperties", "maxProperties");
        }
        json.writeEndObject();
    }

    private void writeNotNull() throws IOException {
        json.writeFieldName("not");
        writeNull();
    }

    /** Writes the limits of a size; that of a set or a map may become smaller than what is sent. */
    private void writeSizes(JavaType type, ValueLimits limits, String min, String max) throws IOException {
        boolean mayShrink = type.kind() == Kind.MAP || type.className().contains("Set");
        if (limits.minSize() > 0) {
            json.writeNumberField(min, limits.minSize());
        }
        if (limits.maxSize() < Integer.MAX_VALUE && (!mayShrink || forms == SchemaForms.CANONICAL)) {
            json.writeNumberField(max, limits.maxSize());
        }
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
        boolean isUnchecked = schema.role() == ValueRole.ARGUMENT
                && constrained.contains(schema.type().use());
        return names.of(schema.type().use())
                + (schema.withSubclasses() ? WITH_SUBCLASSES : "")
                + (isUnchecked ? NOT_VALIDATED : "")
                + (schema.role().isArgument() ? OF_ARGUMENTS : "");
    }

    // --- lists and maps ---

    private void writeContainer(JavaType type, ValueRole role, ValueLimits limits, boolean nullable)
            throws IOException {
        if (type.kind() == Kind.MAP) {
            writeMap(type, role, limits, nullable);
        } else {
            writeList(type, role, limits, nullable);
        }
    }

    private void writeList(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        json.writeStartObject();
        writeType("array", nullable);
        json.writeFieldName("items");
        writePart(type.element(), role, limits.ofElements());
        writeSizes(type, limits, "minItems", "maxItems");
        json.writeEndObject();
    }

    private void writePart(JavaType type, ValueRole role, ValueLimits limits) throws IOException {
        if (role.isArgument()) {
            writeArgument(type, role, limits);
        } else {
            write(type, role, limits);
        }
    }

    private void writeMap(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        boolean byName = isNamed(type.key());
        boolean anyKey = isAny(type.key());
        boolean asObject = byName || anyKey || role.isArgument() && forms == SchemaForms.ALL;
        // A map without entries is an object whatever the type of its keys is.
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
        beginAnyOf();
        if (asObject) {
            writeMembers(type, role, limits, false);
        } else if (limits.minSize() == 0) {
            json.writeRawValue("{\"type\":\"object\",\"maxProperties\":0}");
        }
        writePairs(type, role, limits, false);
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

    private void writeMembers(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        json.writeStartObject();
        writeType("object", nullable);
        if (role.isArgument()) {
            writeNames(type.key());
        }
        json.writeFieldName("additionalProperties");
        writePart(type.element(), role, limits.ofElements());
        writeSizes(type, limits, "minProperties", "maxProperties");
        json.writeEndObject();
    }

    private void writeNames(JavaType key) throws IOException {
        switch (key.kind()) {
            case STRING, ANY, UNKNOWN, INTERFACE -> {}
            case ENUM -> {
                json.writeFieldName("propertyNames");
                refer(new Schema(key, ValueRole.RESULT, false));
            }
            case ARRAY, LIST, MAP, OBJECT, OPTIONAL, HOLDER, BYTES, CHARS -> json.writeNumberField("maxProperties", 0);
            default -> {
                json.writeFieldName("propertyNames");
                writeScalar(ScalarSchema.ofKey(key), false);
            }
        }
    }

    private void writePairs(JavaType type, ValueRole role, ValueLimits limits, boolean nullable) throws IOException {
        json.writeStartObject();
        writeType("array", nullable);
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
        writePart(type.key(), role, ValueLimits.NONE);
        writePart(type.element(), role, ofElement);
        json.writeEndArray();
        json.writeObjectFieldStart("items");
        json.writeEndObject();
        json.writeNumberField("minItems", 2);
        json.writeNumberField("maxItems", 2);
        json.writeEndObject();
    }

    /** Writes the schema of bytes or chars, which are one text. */
    private void writeTextOrArray(JavaType type, ValueRole role, boolean nullable) throws IOException {
        List<ScalarSchema> texts = scalars(type, role, ValueLimits.NONE);
        if (!role.isArgument() || forms == SchemaForms.CANONICAL) {
            writeScalar(texts, nullable);
            return;
        }
        beginAnyOf();
        for (ScalarSchema schema : texts) {
            schema.write(json, false);
        }
        json.writeStartObject();
        json.writeStringField("type", "array");
        json.writeFieldName("items");
        ScalarSchema.ofElement(type).write(json, false);
        json.writeEndObject();
        endAnyOf(nullable);
    }

    /** Writes the schema of a result that stands for what an object of the JDK holds. */
    private void writeHeld(JavaType type) throws IOException {
        if (type.className().equals("java.util.BitSet")) {
            json.writeStartObject();
            writeType("array", true);
            json.writeFieldName("items");
            write(type.element(), ValueRole.RESULT, ValueLimits.NONE);
            json.writeEndObject();
            return;
        }
        beginAnyOf();
        write(type.element(), ValueRole.RESULT, ValueLimits.NONE);
        endAnyOf(true);
    }

    // --- enums and what has no class ---

    private void writeConstant(JavaType type, ValueRole role, boolean nullable) throws IOException {
        boolean isNamed = role.isArgument() && forms == SchemaForms.ALL;
        if (!nullable && !isNamed) {
            refer(new Schema(type, ValueRole.RESULT, false));
            return;
        }
        beginAnyOf();
        refer(new Schema(type, ValueRole.RESULT, false));
        if (isNamed) {
            writeNamedConstant(type, false);
        }
        endAnyOf(nullable);
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
        refer(new Schema(type, ValueRole.RESULT, false));
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

    private void writeAny(JavaType type, ValueRole role, boolean nullable) throws IOException {
        boolean isBound = role.isArgument() || forms == SchemaForms.CANONICAL;
        json.writeStartObject();
        if (isBound && type.className().equals("java.lang.Number")) {
            writeTypes(nullable, "number");
        } else if (role.isArgument() && type.className().equals("java.lang.Comparable")) {
            writeTypes(nullable, "string", "number", "boolean");
        } else if (role.isArgument() && type.isVariable()) {
            // The report does not tell of which class an object is.
            writeTypes(nullable, "string", "number", "boolean", "array", "object");
            json.writeFieldName("if");
            json.writeRawValue("{\"type\":\"object\"}");
            json.writeObjectFieldStart("then");
            writeRequired(List.of(CLASS));
            json.writeEndObject();
        } else if (!nullable) {
            writeNotNull();
        }
        json.writeEndObject();
    }

    private void writeTypes(boolean nullable, String... names) throws IOException {
        json.writeArrayFieldStart("type");
        for (String name : names) {
            json.writeString(name);
        }
        if (nullable) {
            json.writeString("null");
        }
        json.writeEndArray();
    }

    private void writeUnknown(JavaType type, ValueRole role, boolean nullable) throws IOException {
        List<String> constants = JavaTypes.constantsOfJdk(type.className());
        if (constants != null && !(role.isArgument() && forms == SchemaForms.ALL)) {
            writeConstants(constants, nullable);
            return;
        }
        json.writeStartObject();
        if (!nullable) {
            writeNotNull();
        }
        json.writeEndObject();
    }

    // --- classes ---

    private void writeObject(JavaType type, ValueRole role) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "object");
        boolean isInFamily = families.contains(type.use());
        boolean namesClass =
                !type.fields().containsKey(CLASS) && (isInFamily || role.isArgument() && forms == SchemaForms.ALL);
        json.writeObjectFieldStart("properties");
        if (namesClass && role.isArgument()) {
            writeOwnName(type);
        } else if (namesClass) {
            json.writeObjectFieldStart(CLASS);
            json.writeStringField("type", "string");
            json.writeEndObject();
        }
        for (String field : type.fields().keySet()) {
            json.writeFieldName(field);
            json.describe(texts.ofField(type.className(), field));
            writeField(type, field, role);
        }
        json.writeEndObject();
        if (role.isArgument()) {
            Map<String, List<String>> spellings = spellings(type);
            writeSpellings(type, role, spellings);
            List<String> required = required(type, role);
            if (namesClass && isInFamily && forms == SchemaForms.CANONICAL) {
                required.add(0, CLASS);
            }
            writeRequired(required, spellings);
            json.writeBooleanField("additionalProperties", false);
        }
        json.writeEndObject();
    }

    private void writeField(JavaType type, String field, ValueRole role) throws IOException {
        ValueLimits limits = role == ValueRole.VALIDATED ? limits(type, field) : ValueLimits.NONE;
        ValueRole ofField = role == ValueRole.VALIDATED && !limits.areFieldsValidated() ? ValueRole.ARGUMENT : role;
        writePart(type.fields().get(field), ofField, limits);
    }

    private static ValueLimits limits(JavaType type, String field) {
        return ValueLimits.of(type.definition().facts().constraints().getOrDefault(field, List.of()));
    }

    /** Returns the fields that an argument must have since null or zero, which they would be, is not allowed. */
    private static List<String> required(JavaType type, ValueRole role) {
        List<String> required = new ArrayList<>();
        if (role == ValueRole.VALIDATED) {
            for (Map.Entry<String, JavaType> field : type.fields().entrySet()) {
                boolean isAssigned = type.definition().facts().assigned().contains(field.getKey());
                if (!isAssigned && !mayBeAbsent(field.getValue(), limits(type, field.getKey()))) {
                    required.add(field.getKey());
                }
            }
        }
        return required;
    }

    private static boolean mayBeAbsent(JavaType type, ValueLimits limits) {
        if (!type.isPrimitive()) {
            return limits.allowsNull();
        }
        return switch (type.kind()) {
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> limits.allowsZero();
            default -> true;
        };
    }

    /** Writes which fields an object must have, each under one of its names. */
    private void writeRequired(List<String> fields, Map<String, List<String>> spellings) throws IOException {
        List<String> byOneName =
                fields.stream().filter(field -> !spellings.containsKey(field)).toList();
        if (!byOneName.isEmpty()) {
            writeRequired(byOneName);
        }
        if (byOneName.size() == fields.size()) {
            return;
        }
        json.writeArrayFieldStart("allOf");
        for (String field : fields) {
            if (spellings.containsKey(field)) {
                beginAnyOf();
                writeIsRequired(field);
                for (String spelling : spellings.get(field)) {
                    writeIsRequired(spelling);
                }
                endAnyOf(false);
            }
        }
        json.writeEndArray();
    }

    private void writeIsRequired(String name) throws IOException {
        json.writeStartObject();
        writeRequired(List.of(name));
        json.writeEndObject();
    }

    private void writeRequired(List<String> names) throws IOException {
        json.writeArrayFieldStart("required");
        for (String name : names) {
            json.writeString(name);
        }
        json.writeEndArray();
    }

    private void writeOwnName(JavaType type) throws IOException {
        json.writeObjectFieldStart(CLASS);
        json.writeStringField("type", "string");
        json.writeStringField("const", MethodDefinition.erased(type.className()));
        if (forms == SchemaForms.CANONICAL) {
            // It must be the first member; generators for Go sort the others by name.
            json.writeNumberField("x-order", 0);
        }
        json.writeEndObject();
    }

    /** Returns the other names that the fields of arguments may have, by the fields. */
    private Map<String, List<String>> spellings(JavaType type) {
        Map<String, List<String>> others = new TreeMap<>();
        if (forms == SchemaForms.ALL) {
            type.spellings()
                    .forEach((spelling, field) -> others.computeIfAbsent(field, absent -> new ArrayList<>())
                            .add(spelling));
        }
        return others;
    }

    /** Writes that a field may have another name, and not two of them in one object. */
    private void writeSpellings(JavaType type, ValueRole role, Map<String, List<String>> others) throws IOException {
        if (others.isEmpty()) {
            return;
        }
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
            writeField(type, field.getKey(), role);
        }
        json.writeEndObject();
    }

    /** Writes the schema of values that may be of the declared class or of a subclass of it. */
    private void writeFamily(JavaType type, ValueRole role) throws IOException {
        boolean isEmpty = subclasses(type).isEmpty();
        if (type.kind() == Kind.INTERFACE && (isEmpty || role.isArgument() && forms == SchemaForms.ALL)) {
            writeAnyImplementation(type, role, isEmpty);
            return;
        }
        boolean hasOwn = type.kind() == Kind.OBJECT
                && (!role.isArgument() || !type.definition().isAbstract());
        if (role.isArgument() && isEmpty && !hasOwn) {
            writeNothing();
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
            refer(schema(type, role, false));
        }
        for (JavaType subclass : subclasses(type)) {
            if (subclass.kind() == Kind.ENUM) {
                writeEnumVariant(subclass, role);
            } else if (role.isArgument() && forms == SchemaForms.ALL) {
                json.writeStartObject();
                writeRequired(List.of(CLASS));
                json.writeArrayFieldStart("allOf");
                refer(schema(subclass, role, false));
                json.writeEndArray();
                json.writeEndObject();
            } else {
                refer(schema(subclass, role, false));
            }
        }
        if (hasOwn && !role.isArgument()) {
            refer(schema(type, role, false));
        }
        if (!role.isArgument()) {
            // As beside each reference: a generated class for Java reads null only if its own schema has it.
            writeNull();
            json.writeEndArray();
            return;
        }
        json.writeEndArray();
        json.writeObjectFieldStart("discriminator");
        json.writeStringField("propertyName", CLASS);
        json.writeObjectFieldStart("mapping");
        if (hasOwn) {
            json.writeStringField(type.className(), place + nameOf(schema(type, role, false)));
        }
        for (JavaType subclass : subclasses(type)) {
            if (subclass.kind() != Kind.ENUM) {
                json.writeStringField(subclass.className(), place + nameOf(schema(subclass, role, false)));
            }
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeEnumVariant(JavaType subclass, ValueRole role) throws IOException {
        if (role.isArgument()) {
            writeNamedConstant(subclass, true);
        } else {
            refer(new Schema(subclass, ValueRole.RESULT, false));
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
