package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.type.JavaType;

import java.io.IOException;
import java.util.List;

/** Writes the schema of the arguments of a call, as the body of a request has them: docs/use/http.md. */
public final class ArgumentSchemas {
    private final TypeSchemas types;
    private final SchemaForms forms;
    private final JsonGenerator json;

    /** @param json to which {@code types} writes */
    public ArgumentSchemas(TypeSchemas types, SchemaForms forms, JsonGenerator json) {
        this.types = types;
        this.forms = forms;
        this.json = json;
    }

    /**
     * Writes the schema of the arguments of a method: an array, or the only argument itself, unless that could be taken
     * for the array.
     */
    public void write(MethodDefinition method) throws IOException {
        List<JavaType> parameters =
                method.parameterTypes().stream().map(types::type).toList();
        if (parameters.size() != 1) {
            writeArray(parameters);
            return;
        }
        JavaType only = parameters.get(0);
        boolean mayBeArray = TypeSchemas.mayBeArray(only);
        if (forms == SchemaForms.CANONICAL) {
            if (mayBeArray) {
                writeArray(parameters);
            } else {
                types.writeArgument(only);
            }
            return;
        }
        json.writeStartObject();
        json.writeArrayFieldStart("anyOf");
        writeArray(parameters);
        if (mayBeArray) {
            json.writeStartObject();
            json.writeFieldName("allOf");
            json.writeStartArray();
            types.writeArgument(only);
            json.writeEndArray();
            json.writeFieldName("not");
            json.writeRawValue("{\"type\":\"array\"}");
            json.writeEndObject();
        } else {
            types.writeArgument(only);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeArray(List<JavaType> parameters) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "array");
        if (!parameters.isEmpty()) {
            json.writeArrayFieldStart("prefixItems");
            for (JavaType parameter : parameters) {
                types.writeArgument(parameter);
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
