package io.dubbomesh.consumer.openapi;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.schema.SchemaForms;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes the parts of a document to which all operations refer: header fields, failures, the caller's token. */
final class SharedParts {
    /** The name of the schema of problem documents. */
    static final String PROBLEM = "Problem";

    private static final String TIMEOUT = "Timeout";
    private static final String ATTACHMENTS = "Attachments";
    private static final String OF_ATTACHMENTS = "{\"type\":\"object\",\"maxProperties\":32,"
            + "\"propertyNames\":{\"pattern\":\"^x-[a-z0-9-]{1,60}$\"},"
            + "\"additionalProperties\":{\"type\":\"string\",\"maxLength\":100}}";
    private static final String CLASS_NAMES = "ClassNames";
    private static final String FAILURE = "Failure";
    private static final String WITHOUT_ARGUMENTS = "400-NoArguments";
    private static final String BEARER = "bearer";
    private static final int BAD_REQUEST = Outcome.BAD_REQUEST.httpStatus();
    private static final Set<Outcome> OF_CALLERS =
            Set.of(Outcome.UNAUTHENTICATED, Outcome.INVALID_TOKEN, Outcome.FORBIDDEN);

    /** The failures that a call can have; what goes wrong before, or by its size, is {@code default}. */
    private static final Set<Outcome> LISTED = Set.of(
            Outcome.BAD_REQUEST,
            Outcome.BAD_ARGUMENT,
            Outcome.VALIDATION_FAILED,
            Outcome.UNAUTHENTICATED,
            Outcome.INVALID_TOKEN,
            Outcome.FORBIDDEN,
            Outcome.SERVICE_NOT_FOUND,
            Outcome.METHOD_NOT_FOUND,
            Outcome.SERVICE_EXCEPTION,
            Outcome.INTERNAL_ERROR,
            Outcome.PROVIDER_ERROR,
            Outcome.PROVIDER_REFUSED_TOKEN,
            Outcome.NO_PROVIDER,
            Outcome.OVERLOADED,
            Outcome.TIMEOUT);

    private final JsonGenerator json;
    private final OpenApiSettings settings;
    private final SchemaForms forms;
    /** The codes by status. */
    private final Map<Integer, Set<String>> failures = new TreeMap<>();

    SharedParts(JsonGenerator json, OpenApiSettings settings, SchemaForms forms) {
        this.json = json;
        this.settings = settings;
        this.forms = forms;
        for (Outcome outcome : LISTED) {
            if (settings.authenticated() || !OF_CALLERS.contains(outcome)) {
                failures.computeIfAbsent(outcome.httpStatus(), absent -> new TreeSet<>())
                        .add(outcome.code());
            }
        }
    }

    /** Writes what requests need besides, for all operations. */
    void writeSecurity() throws IOException {
        if (settings.authenticated()) {
            json.writeArrayFieldStart("security");
            json.writeStartObject();
            json.writeArrayFieldStart(BEARER);
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
        }
    }

    void writeSecuritySchemes() throws IOException {
        if (settings.authenticated()) {
            json.writeFieldName("securitySchemes");
            json.writeRawValue("{\"" + BEARER + "\":{\"type\":\"http\",\"scheme\":\"bearer\"}}");
        }
    }

    // --- parameters ---

    void referToParameters() throws IOException {
        refer("#/components/parameters/" + TIMEOUT);
        refer("#/components/parameters/" + ATTACHMENTS);
        refer("#/components/parameters/" + CLASS_NAMES);
    }

    /**
     * Returns whether the document has what generators of typed clients cannot use: parameters that are JSON, and
     * failures with schemas of their own.
     */
    private boolean isComplete() {
        return forms == SchemaForms.ALL;
    }

    private void refer(String place) throws IOException {
        json.writeStartObject();
        json.writeStringField("$ref", place);
        json.writeEndObject();
    }

    void writeParameters() throws IOException {
        json.writeObjectFieldStart("parameters");
        writeHeader(
                TIMEOUT,
                "X-Request-Timeout",
                "The deadline in milliseconds",
                "\"schema\":{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1,\"maximum\":"
                        + Math.min(settings.maxTimeoutMs(), Integer.MAX_VALUE) + '}');
        writeHeader(
                ATTACHMENTS,
                "X-Dubbo-Attachments",
                "Attachments of the call, a JSON object of texts; each may also be in a field X-Dubbo-Attachment-NAME",
                // Generators of clients take a text with a media type for a file.
                isComplete()
                        ? "\"content\":{\"application/json\":{\"schema\":" + OF_ATTACHMENTS + "}}"
                        : "\"schema\":{\"type\":\"string\"}");
        writeHeader(
                CLASS_NAMES,
                "X-Dubbo-Class-Names",
                "Whether objects of the result have their class's name as the member class",
                "\"schema\":{\"type\":\"boolean\"}");
        json.writeEndObject();
    }

    private void writeHeader(String name, String header, String description, String members) throws IOException {
        json.writeFieldName(name);
        json.writeRawValue("{\"name\":\"" + header + "\",\"in\":\"header\",\"description\":\"" + description + "\","
                + members + '}');
    }

    /** Writes the header field by which the client says which of overloaded methods it means. */
    void writeParameterTypes(List<MethodDefinition> methods) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", "X-Dubbo-Parameter-Types");
        json.writeStringField("in", "header");
        json.writeStringField(
                "description", "Which of the methods of this name is meant, where the arguments do not tell");
        json.writeObjectFieldStart("schema");
        json.writeStringField("type", "string");
        json.writeArrayFieldStart("enum");
        for (MethodDefinition method : methods) {
            json.writeString(String.join(", ", method.parameterTypes()));
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    // --- responses ---

    void referToResponses(boolean hasArguments) throws IOException {
        for (int status : failures.keySet()) {
            boolean isArgument = status == BAD_REQUEST && !hasArguments;
            json.writeFieldName(Integer.toString(status));
            refer("#/components/responses/" + (isArgument ? WITHOUT_ARGUMENTS : status));
        }
        json.writeFieldName("default");
        refer("#/components/responses/" + FAILURE);
    }

    void writeResponses() throws IOException {
        json.writeObjectFieldStart("responses");
        writeFailure(FAILURE, "Any other failure", null);
        writeFailure(WITHOUT_ARGUMENTS, Outcome.BAD_REQUEST.title(), Set.of(Outcome.BAD_REQUEST.code()));
        for (Map.Entry<Integer, Set<String>> failure : failures.entrySet()) {
            writeFailure(Integer.toString(failure.getKey()), title(failure.getKey()), failure.getValue());
        }
        json.writeEndObject();
    }

    private static String title(int status) {
        for (Outcome outcome : LISTED) {
            if (outcome.httpStatus() == status) {
                return outcome.title();
            }
        }
        throw new IllegalArgumentException("status " + status);
    }

    /** @param codes null for any */
    private void writeFailure(String name, String description, Set<String> codes) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField(
                "description", codes == null ? description : description + ": " + String.join(", ", codes));
        json.writeObjectFieldStart("content");
        json.writeObjectFieldStart("application/problem+json");
        json.writeObjectFieldStart("schema");
        json.writeStringField("$ref", "#/components/schemas/" + PROBLEM);
        if (codes != null && isComplete()) {
            json.writeObjectFieldStart("properties");
            json.writeObjectFieldStart("code");
            json.writeArrayFieldStart("enum");
            for (String code : codes) {
                json.writeString(code);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
    }

    void writeProblem() throws IOException {
        json.writeFieldName(PROBLEM);
        json.writeRawValue("{\"type\":\"object\",\"description\":\"A failure (RFC 9457)\",\"properties\":{"
                + "\"status\":{\"type\":\"integer\",\"format\":\"int32\"},\"title\":{\"type\":\"string\"},"
                + "\"detail\":{\"type\":\"string\"},\"code\":{\"type\":\"string\"},\"type\":{\"type\":\"string\"},"
                + "\"instance\":{\"type\":\"string\"},"
                + "\"violations\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
                + "\"properties\":{\"field\":{\"type\":\"string\"},\"message\":{\"type\":\"string\"}}}},"
                + "\"exceptionClass\":{\"type\":\"string\"},\"exceptionMessage\":{\"type\":[\"string\",\"null\"]}},"
                + "\"required\":[\"status\",\"title\",\"detail\",\"code\"]}");
    }
}
