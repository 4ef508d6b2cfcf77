package io.dubbomesh.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The document that tells a caller what went wrong: {@code application/problem+json}, RFC 9457. */
public final class Problem {
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final JsonFactory JSON = new JsonFactory();

    private Problem() {}

    /** Appends the document to {@code out}. */
    public static void write(ByteBuf out, Outcome outcome, String detail) {
        write(out, outcome, detail, null, null);
    }

    /**
     * Appends the document to {@code out}.
     *
     * @param exceptionClass   of an exception that the service threw, else null
     * @param exceptionMessage likewise; null where the exception has none
     */
    public static void write(
            ByteBuf out, Outcome outcome, String detail, String exceptionClass, String exceptionMessage) {
        StringWriter text = new StringWriter(256);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("status", outcome.httpStatus());
            json.writeStringField("title", outcome.title());
            json.writeStringField("detail", detail);
            json.writeStringField("code", outcome.code());
            if (exceptionClass != null) {
                json.writeStringField("exceptionClass", exceptionClass);
                json.writeStringField("exceptionMessage", exceptionMessage);
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.writeCharSequence(text.toString(), UTF_8);
    }
}
