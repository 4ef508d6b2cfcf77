package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.javadoc.ClassTexts;
import io.dubbomesh.protocol.type.JavaType;
import io.dubbomesh.protocol.value.JsonValues;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes schemas of objects of one class: fields, those that must be there, and their other names. */
final class ObjectSchemas {
    private static final String CLASS = JsonValues.CLASS;

    private final SchemaForms forms;
    private final ClassSchemas classes;
    private final ClassTexts texts;
    private final PartSchemas parts;
    private final SchemaGenerator json;

    ObjectSchemas(SchemaForms forms, ClassSchemas classes, ClassTexts texts, PartSchemas parts, SchemaGenerator json) {
        this.forms = forms;
        this.classes = classes;
        this.texts = texts;
        this.parts = parts;
        this.json = json;
    }

    void write(JavaType type, ValueRole role) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "object");
        boolean isInFamily = classes.isInFamily(type);
        boolean namesClass =
                !type.fields().containsKey(CLASS) && (isInFamily || role.isArgument() && forms == SchemaForms.ALL);
        json.writeObjectFieldStart("properties");
        if (namesClass && role.isArgument()) {
            EnumSchemas.writeClassName(type, json);
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
        parts.writePart(type.fields().get(field), ofField, limits);
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
            json.writeRequired(byOneName);
        }
        if (byOneName.size() == fields.size()) {
            return;
        }
        json.writeArrayFieldStart("allOf");
        for (String field : fields) {
            if (spellings.containsKey(field)) {
                json.beginAnyOf();
                writeIsRequired(field);
                for (String spelling : spellings.get(field)) {
                    writeIsRequired(spelling);
                }
                json.endAnyOf(false);
            }
        }
        json.writeEndArray();
    }

    private void writeIsRequired(String name) throws IOException {
        json.writeStartObject();
        json.writeRequired(List.of(name));
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
}
