package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.type.JavaType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes the schema of the arguments of a call, as the body of a request has them: docs/use/http.md. */
public final class ArgumentSchemas {
    private final TypeSchemas types;
    private final SchemaForms forms;
    private final JsonGenerator json;

    private record Parameter(JavaType type, ValueRole role, ValueLimits limits) {}

    /** @param json to which {@code types} writes */
    public ArgumentSchemas(TypeSchemas types, SchemaForms forms, JsonGenerator json) {
        this.types = types;
        this.forms = forms;
        this.json = json;
    }

    /** Writes the schema of the arguments of a method that keep to its constraints only where the form is canonical. */
    public void write(MethodDefinition method) throws IOException {
        write(method, false);
    }

    /**
     * Writes the schema of the arguments of a method. The canonical form is one that generators of typed clients can
     * type and their clients send: the only argument itself if it is an object of a class, since some clients send a
     * text without quotes and null as no body; an object of several arguments by name where their names are known; else
     * the array. It keeps to the constraints of the method, which the others do if they are checked.
     *
     * @param checked whether the agent refuses arguments that certainly violate constraints
     */
    public void write(MethodDefinition method, boolean checked) throws IOException {
        List<Parameter> parameters = parameters(method, checked || forms == SchemaForms.CANONICAL);
        Parameter only = parameters.size() == 1 ? parameters.get(0) : null;
        boolean isNamed = isNamed(method);
        if (forms == SchemaForms.CANONICAL) {
            if (isNamed) {
                writeObject(method.facts().names(), parameters);
            } else if (only == null) {
                writeArray(parameters);
            } else if (TypeSchemas.isObject(only.type)) {
                types.referToArgument(only.type, only.role);
            } else {
                writeArrayOf(only);
            }
            return;
        }
        if (only == null && !isNamed) {
            writeArray(parameters);
            return;
        }
        json.writeStartObject();
        json.writeArrayFieldStart("anyOf");
        writeArray(parameters);
        if (isNamed) {
            writeObject(method.facts().names(), parameters);
        } else {
            writeOnly(only);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Writes the schema of each argument of a method, one behind the other, with the constraints of the method. */
    public void writeEach(MethodDefinition method) throws IOException {
        for (Parameter parameter : parameters(method, true)) {
            write(parameter);
        }
    }

    private List<Parameter> parameters(MethodDefinition method, boolean isLimited) {
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < method.parameterTypes().size(); i++) {
            parameters.add(new Parameter(
                    types.type(method.parameterTypes().get(i)),
                    isLimited ? ValueRole.VALIDATED : ValueRole.ARGUMENT,
                    isLimited ? ValueLimits.of(method.facts().constraints(i)) : ValueLimits.NONE));
        }
        return parameters;
    }

    /** Returns whether the arguments may be an object by the names of the parameters. */
    private static boolean isNamed(MethodDefinition method) {
        List<String> names = method.facts().names();
        return names.size() > 1 && names.size() == method.parameterTypes().size();
    }

    private void write(Parameter parameter) throws IOException {
        types.writeArgument(parameter.type, parameter.role, parameter.limits);
    }

    private void writeOnly(Parameter only) throws IOException {
        if (!TypeSchemas.mayBeArray(only.type)) {
            write(only);
            return;
        }
        json.writeStartObject();
        json.writeArrayFieldStart("allOf");
        write(only);
        json.writeEndArray();
        json.writeFieldName("not");
        json.writeRawValue("{\"type\":\"array\"}");
        json.writeEndObject();
    }

    private void writeObject(List<String> names, List<Parameter> parameters) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "object");
        json.writeObjectFieldStart("properties");
        for (int i = 0; i < names.size(); i++) {
            json.writeFieldName(names.get(i));
            write(parameters.get(i));
        }
        json.writeEndObject();
        json.writeArrayFieldStart("required");
        for (String name : names) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeBooleanField("additionalProperties", false);
        json.writeEndObject();
    }

    /** Writes the schema of an array of one argument; generators understand it better than {@code prefixItems}. */
    private void writeArrayOf(Parameter only) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "array");
        json.writeFieldName("items");
        write(only);
        json.writeNumberField("minItems", 1);
        json.writeNumberField("maxItems", 1);
        json.writeEndObject();
    }

    private void writeArray(List<Parameter> parameters) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "array");
        if (!parameters.isEmpty()) {
            json.writeArrayFieldStart("prefixItems");
            for (Parameter parameter : parameters) {
                write(parameter);
            }
            json.writeEndArray();
            json.writeObjectFieldStart("items");
            json.writeEndObject();
            json.writeNumberField("minItems", parameters.size());
        }
        json.writeNumberField("maxItems", parameters.size());
        json.writeEndObject();
    }
}
