package io.dubbomesh.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The document that describes a failure to the client: {@code application/problem+json}, RFC 9457. */
public final class Problem {
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final JsonFactory JSON = new JsonFactory();

    private Problem() {}

    /** Appends the document to {@code out}. */
    public static void write(ByteBuf out, Outcome outcome, String detail) {
        write(out, outcome, detail, null, List.of(), List.of());
    }

    /**
     * Appends the document to {@code out}.
     *
     * @param exception what the service threw, else null
     * @param causes    its causes, the outermost first
     * @param stack     its stack, a text for each frame
     */
    public static void write(
            ByteBuf out, Outcome outcome, String detail, Thrown exception, List<Thrown> causes, List<String> stack) {
        StringWriter text = new StringWriter(256);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            writeHead(json, outcome, detail);
            if (exception != null) {
                json.writeStringField("exceptionClass", exception.className());
                json.writeStringField("exceptionMessage", exception.message());
                writeProperties(json, exception);
                writeCauses(json, causes);
                writeStack(json, stack);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Not writeCharSequence: after a lone surrogate it writes the low byte of the next char, which may be a quote.
        out.writeBytes(text.toString().getBytes(UTF_8));
    }

    private static void writeProperties(JsonGenerator json, Thrown thrown) throws IOException {
        if (thrown.properties() != null) {
            json.writeFieldName("properties");
            json.writeRawValue(thrown.properties());
        }
    }

    /** Appends the document about arguments that violate constraints to {@code out}. */
    public static void write(ByteBuf out, Outcome outcome, String detail, List<Violation> violations) {
        StringWriter text = new StringWriter(256);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            writeHead(json, outcome, detail);
            json.writeArrayFieldStart("violations");
            for (Violation violation : violations) {
                json.writeStartObject();
                json.writeStringField("field", violation.field());
                json.writeStringField("message", violation.message());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.writeBytes(text.toString().getBytes(UTF_8));
    }

    /**
     * Returns the member {@code detail} of the document {@code in[offset, offset + length)}; empty if it is none, or
     * has no such member.
     */
    public static String detail(ByteBuf in, int offset, int length) {
        try (InputStream bytes = new ByteBufInputStream(in.slice(offset, length));
                JsonParser json = JSON.createParser(bytes)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
                    JsonToken value = json.nextToken();
                    if (member.equals("detail")) {
                        return value == JsonToken.VALUE_STRING ? json.getText() : "";
                    }
                    json.skipChildren();
                }
            }
            return "";
        } catch (IOException e) {
            return "";
        }
    }

    private static void writeHead(JsonGenerator json, Outcome outcome, String detail) throws IOException {
        json.writeNumberField("status", outcome.httpStatus());
        json.writeStringField("title", outcome.title());
        json.writeStringField("detail", detail);
        json.writeStringField("code", outcome.code());
    }

    private static void writeCauses(JsonGenerator json, List<Thrown> causes) throws IOException {
        if (causes.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("causes");
        for (Thrown cause : causes) {
            json.writeStartObject();
            json.writeStringField("class", cause.className());
            json.writeStringField("message", cause.message());
            writeProperties(json, cause);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeStack(JsonGenerator json, List<String> stack) throws IOException {
        if (stack.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("stack");
        for (String frame : stack) {
            json.writeString(frame);
        }
        json.writeEndArray();
    }
}
