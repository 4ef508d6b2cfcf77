package io.dubbomesh.idl;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the field for which the library has refused the JSON of a message, which it does not tell: tries the members
 * one by one, and goes into the first one that is refused alone.
 */
final class RefusedField {
    /** The bound of characters that are tried for one message; what remains is told as a whole. */
    private static final int MAX_TRIED = 4 * 1024 * 1024;

    private static final int MAX_NAME = 64;
    private static final int MAX_NAMES = 300;

    /** The messages whose JSON is not an object with a member for each field. */
    private static final Map<String, String> FORMS = Map.of(
            "google.protobuf.Timestamp", "google.protobuf.Timestamp, as \"2024-05-06T07:08:09.5Z\"",
            "google.protobuf.Duration", "google.protobuf.Duration, as \"1.5s\"",
            "google.protobuf.FieldMask", "google.protobuf.FieldMask, as \"name,address.city\"",
            "google.protobuf.Any", "google.protobuf.Any, an object with the member \"@type\"",
            "google.protobuf.Struct", "google.protobuf.Struct, an object",
            "google.protobuf.ListValue", "google.protobuf.ListValue, an array",
            "google.protobuf.Value", "google.protobuf.Value");

    private static final String WRAPPERS = "google.protobuf.wrappers";

    private final JsonFormat.Parser parser;
    private int left = MAX_TRIED;

    RefusedField(JsonFormat.Parser parser) {
        this.parser = parser;
    }

    /** Returns the text as JSON. */
    static String quoted(String text) {
        return new JsonPrimitive(text).toString();
    }

    /**
     * Returns the refusal, with the path of the field.
     *
     * @param json that was refused
     * @param why  the refusal of the library
     */
    CallException find(Descriptor type, String json, String why) {
        String detail;
        try {
            detail = message("args[0]", type, JsonParser.parseString(json), why);
        } catch (RuntimeException | StackOverflowError e) {
            detail = "args[0]: " + shown(why);
        }
        return new CallException(Outcome.BAD_ARGUMENT, detail);
    }

    private String message(String path, Descriptor type, JsonElement json, String why) {
        String form = form(type);
        if (form != null) {
            return path + ": " + shown(json) + " (expected: " + form + reason(type, why) + ')';
        }
        if (!json.isJsonObject()) {
            return path + ": " + shown(json) + " (expected: an object, " + type.getFullName() + ')';
        }
        for (Map.Entry<String, JsonElement> member : json.getAsJsonObject().entrySet()) {
            String inMember = path + '.' + Quoted.plain(member.getKey(), MAX_NAME);
            FieldDescriptor field = field(type, member.getKey());
            if (field == null) {
                return inMember + ": unknown (expected: " + names(type) + ')';
            }
            String refusal = refusal(type, member.getKey(), member.getValue());
            if (refusal != null) {
                return value(inMember, type, field, member.getKey(), member.getValue(), refusal);
            }
        }
        // Each alone is taken.
        return path + ": " + shown(why);
    }

    private String value(
            String path, Descriptor type, FieldDescriptor field, String name, JsonElement json, String why) {
        if (field.isMapField() && json.isJsonObject()) {
            return entry(path, type, field, name, json.getAsJsonObject(), why);
        }
        if (field.isMapField()) {
            return path + ": " + shown(json) + " (expected: an object, whose members are the entries of a map)";
        }
        if (field.isRepeated() && json.isJsonArray()) {
            JsonArray elements = json.getAsJsonArray();
            for (int i = 0; i < elements.size(); i++) {
                JsonArray one = new JsonArray();
                one.add(elements.get(i));
                String refusal = refusal(type, name, one);
                if (refusal != null) {
                    return single(path + '[' + i + ']', field, elements.get(i), refusal);
                }
            }
            return path + ": " + shown(why);
        }
        if (field.isRepeated()) {
            return path + ": " + shown(json) + " (expected: an array of " + expected(field) + ')';
        }
        return single(path, field, json, why);
    }

    private String entry(
            String path, Descriptor type, FieldDescriptor field, String name, JsonObject entries, String why) {
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
        for (Map.Entry<String, JsonElement> entry : entries.entrySet()) {
            JsonObject one = new JsonObject();
            one.add(entry.getKey(), entry.getValue());
            String refusal = refusal(type, name, one);
            if (refusal != null) {
                JsonObject otherKey = new JsonObject();
                otherKey.add(key.getType() == FieldDescriptor.Type.BOOL ? "true" : "1", entry.getValue());
                String inEntry = path + '.' + Quoted.plain(entry.getKey(), MAX_NAME);
                return refusal(type, name, otherKey) == null
                        ? inEntry + ": " + Quoted.text(entry.getKey()) + " (expected: a key, " + expected(key) + ')'
                        : single(inEntry, value, entry.getValue(), refusal);
            }
        }
        return path + ": " + shown(why);
    }

    private String single(String path, FieldDescriptor field, JsonElement json, String why) {
        boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
        return isMessage && !json.isJsonNull()
                ? message(path, field.getMessageType(), json, why)
                : path + ": " + shown(json) + " (expected: " + expected(field) + ')';
    }

    /** Returns why the library refuses a message with this member alone; null if it takes it. */
    private String refusal(Descriptor type, String name, JsonElement value) {
        JsonObject alone = new JsonObject();
        alone.add(name, value);
        String json = alone.toString();
        left -= json.length();
        if (left < 0) {
            return null;
        }
        try {
            parser.merge(json, DynamicMessage.newBuilder(type));
            return null;
        } catch (InvalidProtocolBufferException | RuntimeException | StackOverflowError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static FieldDescriptor field(Descriptor type, String name) {
        for (FieldDescriptor field : type.getFields()) {
            if (field.getJsonName().equals(name) || field.getName().equals(name)) {
                return field;
            }
        }
        return null;
    }

    private static String form(Descriptor type) {
        String form = FORMS.get(type.getFullName());
        boolean isWrapper = type.getFile().getFullName().equals(WRAPPERS)
                || type.getFile().getName().equals("google/protobuf/wrappers.proto");
        return form == null && isWrapper ? expected(type.findFieldByName("value")) : form;
    }

    /** The library says most about what is in an Any, whose type only it knows. */
    private static String reason(Descriptor type, String why) {
        return type.getFullName().equals("google.protobuf.Any") ? "; " + shown(why) : "";
    }

    private static String expected(FieldDescriptor field) {
        return switch (field.getType()) {
            case ENUM ->
                "one of "
                        + Quoted.plain(
                                field.getEnumType().getValues().stream()
                                        .map(EnumValueDescriptor::getName)
                                        .collect(Collectors.joining(", ")),
                                MAX_NAMES);
            case BYTES -> "bytes, in base64";
            case MESSAGE, GROUP -> {
                String form = form(field.getMessageType());
                yield form == null ? "an object, " + field.getMessageType().getFullName() : form;
            }
            default -> field.getType().name().toLowerCase(java.util.Locale.ROOT);
        };
    }

    private static String names(Descriptor type) {
        String names =
                type.getFields().stream().map(FieldDescriptor::getJsonName).collect(Collectors.joining(", "));
        return "a field of " + type.getFullName() + ": " + Quoted.plain(names.isEmpty() ? "none" : names, MAX_NAMES);
    }

    private static String shown(JsonElement json) {
        return json.isJsonPrimitive() && json.getAsJsonPrimitive().isString()
                ? Quoted.text(json.getAsString())
                : Quoted.plain(json.toString(), MAX_NAME);
    }

    private static String shown(String why) {
        return Quoted.plain(String.valueOf(why), MAX_NAMES);
    }
}
