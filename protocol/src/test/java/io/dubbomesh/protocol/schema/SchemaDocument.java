package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import tools.jackson.databind.DatabindException;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;

/** A schema as a document of its own, with the schemas of classes in it, and a validator of others' making. */
public final class SchemaDocument {
    private static final SchemaRegistry VALIDATORS =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final String text;
    private Schema validator;

    private interface Part {
        void write(TypeSchemas types, JsonGenerator json) throws IOException;
    }

    private SchemaDocument(Map<String, TypeDefinition> definitions, SchemaForms forms, Part part) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            SchemaNames names = new SchemaNames("", Set.of("Problem"), definitions.keySet());
            TypeSchemas types = new TypeSchemas(definitions, forms, names, "#/$defs/", json);
            json.writeStartObject();
            json.writeArrayFieldStart("allOf");
            part.write(types, json);
            json.writeEndArray();
            json.writeObjectFieldStart("$defs");
            types.writeClasses();
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        text = out.toString();
    }

    public static SchemaDocument ofArgument(Map<String, TypeDefinition> known, SchemaForms forms, String type) {
        return new SchemaDocument(known, forms, (types, json) -> types.writeArgument(type));
    }

    public static SchemaDocument ofResult(Map<String, TypeDefinition> known, SchemaForms forms, String type) {
        return new SchemaDocument(known, forms, (types, json) -> types.writeResult(type));
    }

    public static SchemaDocument ofArguments(
            Map<String, TypeDefinition> known, SchemaForms forms, MethodDefinition method) {
        return new SchemaDocument(known, forms, (types, json) -> new ArgumentSchemas(types, forms, json).write(method));
    }

    /** Returns the schema of arguments that the agent checks against constraints. */
    public static SchemaDocument ofChecked(
            Map<String, TypeDefinition> known, SchemaForms forms, MethodDefinition method) {
        return new SchemaDocument(
                known, forms, (types, json) -> new ArgumentSchemas(types, forms, json).write(method, true));
    }

    /** Returns whether the schema, formats included, accepts this JSON. */
    public boolean accepts(String value) {
        if (validator == null) {
            validator = VALIDATORS.getSchema(text, InputFormat.JSON);
        }
        try {
            return errors(value) == 0;
        } catch (DatabindException e) {
            // The validator compares bounds as long values, which some numbers are not.
            return false;
        }
    }

    private int errors(String value) {
        return validator
                .validate(
                        value,
                        InputFormat.JSON,
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .size();
    }

    @Override
    public String toString() {
        return text;
    }
}
