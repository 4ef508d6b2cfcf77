package io.dubbomesh.idl;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition.Kind;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * Describes messages by the Java types whose JSON is alike, for those who describe a service to its callers: a whole
 * number of 64 bits is a text, and so are bytes. Nothing is written or read by them.
 */
final class MessageTypes {
    private static final String TEXT = "java.lang.String";
    private static final String ANYTHING = "java.lang.Object";
    private static final String ANY_OBJECT = "java.util.Map<java.lang.String,java.lang.Object>";

    /** The messages that have a JSON of their own. */
    private static final Map<String, String> WELL_KNOWN = Map.ofEntries(
            Map.entry("google.protobuf.Any", ANY_OBJECT),
            Map.entry("google.protobuf.BoolValue", "java.lang.Boolean"),
            Map.entry("google.protobuf.BytesValue", TEXT),
            Map.entry("google.protobuf.DoubleValue", "java.lang.Double"),
            Map.entry("google.protobuf.Duration", TEXT),
            Map.entry("google.protobuf.FieldMask", TEXT),
            Map.entry("google.protobuf.FloatValue", "java.lang.Float"),
            Map.entry("google.protobuf.Int32Value", "java.lang.Integer"),
            Map.entry("google.protobuf.Int64Value", TEXT),
            Map.entry("google.protobuf.ListValue", "java.util.List<java.lang.Object>"),
            Map.entry("google.protobuf.StringValue", TEXT),
            Map.entry("google.protobuf.Struct", ANY_OBJECT),
            Map.entry("google.protobuf.Timestamp", "java.time.Instant"),
            Map.entry("google.protobuf.UInt32Value", "java.lang.Long"),
            Map.entry("google.protobuf.UInt64Value", TEXT),
            Map.entry("google.protobuf.Value", ANYTHING));

    private final Map<String, TypeDefinition> types = new HashMap<>();
    private final Queue<Descriptor> left = new ArrayDeque<>();

    /** Returns the type of a message; what it has in it is among {@link #all}. */
    String of(Descriptor message) {
        String wellKnown = WELL_KNOWN.get(message.getFullName());
        if (wellKnown != null) {
            return wellKnown;
        }
        left.add(message);
        return message.getFullName();
    }

    /** Returns the definitions of all types that were asked for, and of those in them. */
    Map<String, TypeDefinition> all() {
        Descriptor message;
        while ((message = left.poll()) != null) {
            if (!types.containsKey(message.getFullName())) {
                // Before its fields, which may be of the same type.
                types.put(message.getFullName(), type(message.getFullName(), Kind.CLASS, List.of(), Map.of()));
                Map<String, String> fields = new LinkedHashMap<>();
                for (FieldDescriptor field : message.getFields()) {
                    fields.put(field.getJsonName(), type(field));
                }
                types.put(message.getFullName(), type(message.getFullName(), Kind.CLASS, List.of(), fields));
            }
        }
        return types;
    }

    private String type(FieldDescriptor field) {
        if (field.isMapField()) {
            FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
            return "java.util.Map<java.lang.String," + single(value, true) + '>';
        }
        if (field.isRepeated()) {
            return "java.util.List<" + single(field, true) + '>';
        }
        return single(field, field.hasPresence());
    }

    private String single(FieldDescriptor field, boolean isBoxed) {
        return switch (field.getType()) {
            case INT32, SINT32, SFIXED32 -> isBoxed ? "java.lang.Integer" : "int";
            case UINT32, FIXED32 -> isBoxed ? "java.lang.Long" : "long";
            case FLOAT -> isBoxed ? "java.lang.Float" : "float";
            case DOUBLE -> isBoxed ? "java.lang.Double" : "double";
            case BOOL -> isBoxed ? "java.lang.Boolean" : "boolean";
            case MESSAGE, GROUP -> of(field.getMessageType());
            case ENUM -> of(field.getEnumType());
            case INT64, UINT64, SINT64, FIXED64, SFIXED64, STRING, BYTES -> TEXT;
        };
    }

    private String of(EnumDescriptor type) {
        List<String> constants = type.getValues().stream()
                .map(EnumValueDescriptor::getName)
                .distinct()
                .toList();
        types.putIfAbsent(type.getFullName(), type(type.getFullName(), Kind.ENUM, constants, Map.of()));
        return type.getFullName();
    }

    private static TypeDefinition type(String name, Kind kind, List<String> constants, Map<String, String> fields) {
        return new TypeDefinition(name, kind, constants, fields, Set.of(), Set.of());
    }
}
