package io.dubbomesh.protocol.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;

import java.io.IOException;

/** Puts a description into the schema that is written next, whichever kind of schema that is. */
final class DescribingGenerator extends JsonGeneratorDelegate {
    private static final String DESCRIPTION = "description";

    /** Null if there is none. */
    private String next;

    DescribingGenerator(JsonGenerator json) {
        super(json);
    }

    /** @param text of the schema that is written next; null for none */
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
}
