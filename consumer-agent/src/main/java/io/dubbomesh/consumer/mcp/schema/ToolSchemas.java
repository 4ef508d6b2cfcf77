package io.dubbomesh.consumer.mcp.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.constraint.Constraint.NotBlank;
import io.dubbomesh.protocol.constraint.Constraint.NotEmpty;
import io.dubbomesh.protocol.constraint.Constraint.NotNull;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.javadoc.ClassTexts;
import io.dubbomesh.protocol.schema.ArgumentSchemas;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.protocol.schema.SchemaNames;
import io.dubbomesh.protocol.schema.TypeSchemas;
import io.dubbomesh.protocol.type.TypeNames;
import io.dubbomesh.runtime.json.Json;

import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The JSON Schemas of a tool's method, by its types: of each argument in the form that a caller should send, of the
 * result in every form that it can have, since clients check results by it.
 */
final class ToolSchemas {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String VALUES = "values";
    private static final String REFERENCE = "$ref";
    private static final String DEFINITIONS = "$defs";
    private static final String PLACE = "#/" + DEFINITIONS + '/';
    /** The formats that JSON Schema knows; of the others of OpenAPI some clients warn. */
    private static final Set<String> FORMATS = Set.of("date-time", "date", "uuid", "uri-reference");

    private static final Set<String> PRIMITIVES =
            Set.of("boolean", "byte", "char", "short", "int", "long", "float", "double");

    /** A model could make nothing of a longer one. */
    private static final int MOST_CHARACTERS = 256 << 10;

    private final MethodDefinition method;
    private final ServiceDefinition service;

    private interface Part {
        void write(TypeSchemas types, JsonGenerator json) throws IOException;
    }

    private ToolSchemas(MethodDefinition method, ServiceDefinition service) {
        this.method = method;
        this.service = service;
    }

    /**
     * Returns the schemas of a tool.
     *
     * @param described what is known of its service
     * @return null if its method is not found among what is known, or more than one could be it
     */
    static ToolSchemas of(Tool tool, ServiceDefinition described) {
        ServiceDefinition named = described.ofMethods(tool.method().method());
        if (named == null) {
            return null;
        }
        Map<List<String>, MethodDefinition> candidates = new LinkedHashMap<>();
        for (MethodDefinition method : named.methods()) {
            if (isCalledBy(tool, method)) {
                candidates.putIfAbsent(method.parameterTypes(), method);
            }
        }
        return candidates.size() == 1
                ? new ToolSchemas(candidates.values().iterator().next(), named)
                : null;
    }

    private static boolean isCalledBy(Tool tool, MethodDefinition method) {
        String descriptor = tool.method().descriptor();
        if (descriptor.equals(MethodName.UNKNOWN_TYPES)) {
            return method.parameterTypes().size() == tool.arguments().size();
        }
        try {
            return method.erasedTypes().equals(TypeNames.ofDescriptor(descriptor))
                    && method.parameterTypes().size() == tool.arguments().size();
        } catch (CallException e) {
            return false;
        }
    }

    /** Returns the name that a parameter has in Java; null if it is not known. */
    String parameterName(int parameter) {
        List<String> names = method.facts().names();
        return names.isEmpty() ? null : names.get(parameter);
    }

    /** Returns whether null can be the argument of this parameter. */
    boolean takesNull(int parameter) {
        return !PRIMITIVES.contains(method.parameterTypes().get(parameter))
                && method.facts().constraints(parameter).stream()
                        .noneMatch(constraint -> constraint instanceof NotNull
                                || constraint instanceof NotEmpty
                                || constraint instanceof NotBlank);
    }

    /**
     * Returns the schemas of all parameters in order, and behind them that of the definitions which they refer to.
     *
     * @return null if they are too long
     */
    Written arguments() throws IOException {
        return write(
                SchemaForms.CANONICAL,
                (types, json) -> new ArgumentSchemas(types, SchemaForms.CANONICAL, json).writeEach(method));
    }

    /** Returns the schema of the result; null if it is too long. */
    Written result() throws IOException {
        return write(SchemaForms.ALL, (types, json) -> types.writeResult(method.returnType()));
    }

    /** Writes without the texts of sources what would be too long with them. */
    private Written write(SchemaForms forms, Part part) throws IOException {
        Written written = write(forms, service.texts(), part);
        return written == null && !service.texts().areNone() ? write(forms, ClassTexts.NONE, part) : written;
    }

    private Written write(SchemaForms forms, ClassTexts texts, Part part) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            SchemaNames names = new SchemaNames("", Set.of(), service.types().keySet());
            TypeSchemas types = new TypeSchemas(service.types(), forms, names, PLACE, json, texts);
            json.writeStartObject();
            json.writeArrayFieldStart(VALUES);
            part.write(types, json);
            json.writeEndArray();
            json.writeObjectFieldStart(DEFINITIONS);
            types.writeClasses();
            json.writeEndObject();
            json.writeEndObject();
        }
        if (out.getBuffer().length() > MOST_CHARACTERS) {
            return null;
        }
        Map<?, ?> document = (Map<?, ?>) withoutExtensions(Json.read(out.toString()));
        Map<String, Object> definitions = new LinkedHashMap<>();
        ((Map<?, ?>) document.get(DEFINITIONS)).forEach((name, schema) -> definitions.put(name.toString(), schema));
        return new Written(List.copyOf((List<?>) document.get(VALUES)), definitions);
    }

    private static Object withoutExtensions(Object part) {
        if (part instanceof Map<?, ?> members) {
            Map<String, Object> copy = new LinkedHashMap<>();
            members.forEach((name, member) -> {
                if (!isExtension(name.toString(), member)) {
                    copy.put(name.toString(), withoutExtensions(member));
                }
            });
            return copy;
        }
        if (part instanceof List<?> items) {
            List<Object> copy = new ArrayList<>();
            items.forEach(item -> copy.add(withoutExtensions(item)));
            return copy;
        }
        return part;
    }

    /** Returns whether OpenAPI alone knows this member, and it is no field of a class that has the same name. */
    private static boolean isExtension(String name, Object member) {
        return switch (name) {
            case "discriminator" -> member instanceof Map<?, ?> object && object.containsKey("propertyName");
            case "format" -> member instanceof String format && !FORMATS.contains(format);
            default -> false;
        };
    }

    /**
     * Schemas with the definitions that they refer to.
     *
     * @param values      as {@link Json} reads them
     * @param definitions by name
     */
    record Written(List<?> values, Map<String, Object> definitions) {

        /** Returns the name of the definition that a schema only refers to; null if it is of another form. */
        static String reference(Map<?, ?> schema) {
            return schema.get(REFERENCE) instanceof String place ? place.substring(PLACE.length()) : null;
        }

        static Map<String, Object> referTo(String definition) {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put(REFERENCE, PLACE + definition);
            return schema;
        }

        /** Adds the definitions that a schema needs, directly or by others, in the order of their use. */
        void define(Map<String, Object> schema) {
            Map<String, Object> used = new LinkedHashMap<>();
            List<Object> left = new ArrayList<>(List.of(schema));
            while (!left.isEmpty()) {
                Object part = left.remove(left.size() - 1);
                if (part instanceof List<?> items) {
                    left.addAll(items);
                } else if (part instanceof Map<?, ?> members) {
                    String definition = reference(members);
                    if (definition != null && !used.containsKey(definition)) {
                        used.put(definition, definitions.get(definition));
                        left.add(definitions.get(definition));
                    }
                    left.addAll(members.values());
                }
            }
            if (!used.isEmpty()) {
                schema.put(DEFINITIONS, used);
            }
        }
    }
}
