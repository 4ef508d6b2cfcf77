package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;

import java.io.IOException;
import java.util.List;

/** Writes what the schemas of all kinds of types consist of, and their descriptions. */
final class SchemaGenerator extends JsonGeneratorDelegate {
    private static final String DESCRIPTION = "description";

    /** The description of the schema that is written next; null if there is none. */
    private String next;

    SchemaGenerator(JsonGenerator json) {
        super(json);
    }

    /** @param text of the schema that is written next, whichever kind it is of; null for none */
    void describe(String text) {
        next = text;
    }

    @Override
    public void writeStartObject() throws IOException {
        super.writeStartObject();
        if (next != null) {
            String text = next;
            next = null;
            writeStringField(DESCRIPTION, text);
        }
    }

    @Override
    public void writeRawValue(String schema) throws IOException {
        if (next == null) {
            super.writeRawValue(schema);
            return;
        }
        String text = new String(JsonStringEncoder.getInstance().quoteAsString(next));
        next = null;
        super.writeRawValue(
                "{\"" + DESCRIPTION + "\":\"" + text + '"' + (schema.equals("{}") ? "" : ",") + schema.substring(1));
    }

    void writeNullType() throws IOException {
        writeRawValue("{\"type\":\"null\"}");
    }

    void writeNothing() throws IOException {
        writeRawValue("{\"not\":{}}");
    }

    void writeNotNull() throws IOException {
        writeFieldName("not");
        writeNullType();
    }

    void writeType(String type, boolean nullable) throws IOException {
        if (nullable) {
            writeArrayFieldStart("type");
            writeString(type);
            writeString("null");
            writeEndArray();
        } else {
            writeStringField("type", type);
        }
    }

    void writeTypes(boolean nullable, String... names) throws IOException {
        writeArrayFieldStart("type");
        for (String name : names) {
            writeString(name);
        }
        if (nullable) {
            writeString("null");
        }
        writeEndArray();
    }

    void writeScalars(List<ScalarSchema> schemas, boolean nullable) throws IOException {
        if (schemas.size() == 1) {
            schemas.get(0).write(this, nullable);
            return;
        }
        beginAnyOf();
        for (ScalarSchema schema : schemas) {
            schema.write(this, false);
        }
        endAnyOf(nullable);
    }

    void beginAnyOf() throws IOException {
        writeStartObject();
        writeArrayFieldStart("anyOf");
    }

    void endAnyOf(boolean nullable) throws IOException {
        if (nullable) {
            writeNullType();
        }
        writeEndArray();
        writeEndObject();
    }

    void writeRequired(List<String> names) throws IOException {
        writeArrayFieldStart("required");
        for (String name : names) {
            writeString(name);
        }
        writeEndArray();
    }
}
